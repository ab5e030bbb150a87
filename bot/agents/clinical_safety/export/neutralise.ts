/** Characters that make a spreadsheet read a cell as a formula, their full-width forms included. */
const STARTERS = /^[\s\u200B-\u200F\u202A-\u202E\uFEFF]*[=@＝＠]|^[\t\r\n]/u;
/** "+1+1", "-2+3" and "-cmd|x" compute; "- none", "-- see below" and "+ plus text" are prose. */
const SIGNED = /^[+\-＋－]+(?=[\d(=@.]|[A-Za-z]{1,3}\$?\d|[\w.]+[(|!])/u;

/**
 * A CSV field that no spreadsheet takes for a formula: an apostrophe is put before what looks like one. Prose that begins
 * with a dash or a plus stays as it is. A workbook needs none of it: there a text cell is text, whatever it begins with.
 */
export function neutralise(text: string): string {
  return STARTERS.test(text) || SIGNED.test(text) ? `'${text}` : text;
}
