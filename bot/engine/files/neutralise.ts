/** Characters that make a spreadsheet read a cell as a formula, their full-width forms included. */
const STARTERS = /^[\s\u200B-\u200F\u202A-\u202E\uFEFF]*[=@＝＠]|^[\t\r\n]/u;
/** "+1+1", "-2+3" and "-cmd|x" are computed; "- none", "-- see below" and "+ plus text" are prose. */
const SIGNED = /^[+\-＋－]+(?=[\d(=@.]|[A-Za-z]{1,3}\$?\d|[\w.]+[(|!])/u;

/**
 * Makes a CSV field safe from being read as a formula, by an apostrophe before anything that looks like one. Prose that
 * begins with a dash or a plus stays unchanged. Workbooks don't need this, because their text cells are typed.
 */
export function neutralise(text: string): string {
  return STARTERS.test(text) || SIGNED.test(text) ? `'${text}` : text;
}
