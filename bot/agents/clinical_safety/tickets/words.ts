/** Common words that are not indexed. */
const STOP_WORDS = new Set(
  'a an the and or but if then else of to in on at by for with from as is are was were be been being it its this that these those there here which who whom whose what when where how why will would shall should can could may might must do does did done has have had having i we you he she they them their our your his her my me us not no nor so such than too very just also only same other another any all each every some more most own into onto about over under again further up down out off between both few because while during before after above below through against we re ve ll d s t via per etc eg ie'.split(
    ' ',
  ),
);
/** Stop words that are indexed anyway, because they change the meaning. */
const INDEXED_STOP_WORDS = new Set([
  'not',
  'no',
  'after',
  'before',
  'off',
  'out',
  'down',
  'same',
  'another',
  'other',
  'only',
]);

const URL = /https?:\/\/\S+|www\.\S+/gi;
/** Marks around code, whose words are not part of the ticket's text. */
const BLOCKS: [open: string, openEnd: string, close: string][] = [
  ['```', '', '```'],
  ['{code', '}', '{code}'],
  ['{noformat', '}', '{noformat}'],
];

/**
 * Removes code blocks; an unclosed one stays. Searches each mark from left to right, so the time grows with the text.
 */
function removeBlocks(text: string): string {
  let rest = text;
  for (const [open, openEnd, close] of BLOCKS) {
    let plain = '';
    let from = 0;
    for (let start = rest.indexOf(open); start >= 0; start = rest.indexOf(open, from)) {
      const inside = rest.indexOf(openEnd, start + open.length);
      const end = inside < 0 ? -1 : rest.indexOf(close, inside + openEnd.length);
      if (end < 0) break;
      plain += `${rest.slice(from, start)} `;
      from = end + close.length;
    }
    rest = plain + rest.slice(from);
  }
  return rest;
}

// No character class includes the start of the next match, which keeps the search fast.
const MARKUP: [RegExp, string][] = [
  [/\[([^[\]|]+)\|[^[\]]+\]|\[([^[\]]+)\]\([^()]*\)/g, '$1$2'],
  [/\{(?:color|quote|panel)[^{}]*\}|<[^<>]{1,200}>|&nbsp;/gi, ' '],
  // A request to merge code, not a request for a test or a referral.
  [/\b(?:pull|merge) requests?\b/gi, ' pr '],
  [/git-svn-id:.*$/gim, ' '],
  [/co-authored-by:.*$|signed-off-by:.*$/gim, ' '],
];

// Fast path: nearly every text is ASCII without markup.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
const MAY_HOLD_MARKUP = /[`{[<&]|:\/\/|www\.|git-svn|-by:|requests?\b/i;

/** A ticket's text without addresses and markup, and with camelCase and snake_case split. */
export function plainText(text: string): string {
  const ascii = ASCII.test(text);
  let plain = ascii ? text : text.normalize('NFKC');
  if (MAY_HOLD_MARKUP.test(plain)) {
    plain = removeBlocks(plain);
    for (const [pattern, replacement] of MARKUP) plain = plain.replace(pattern, replacement);
    plain = plain.replace(URL, ' ');
  }
  plain = ascii
    ? plain.replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
    : plain.replace(/([\p{Ll}\d])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ');
  return plain.includes('_') ? plain.replaceAll('_', ' ') : plain;
}

/** Variants of spelling, mapped to one form. */
const SPELLINGS: [RegExp, string][] = [
  [/is(e[dsr]?|ing|ation|ations)$/, 'iz$1'],
  [/our$/, 'or'],
  [/aem/, 'em'],
  [/paed/, 'ped'],
];

const stems = new Map<string, string>();

/** A light stemmer: removes plural, -ing, -ed and -ly, and maps British spelling, without merging different words. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  let root = word;
  if (root.length > 4) {
    for (const [pattern, replacement] of SPELLINGS) root = root.replace(pattern, replacement);
    if (root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
    else if (/(?:ss|sh|ch|x|z)es$/.test(root)) root = root.slice(0, -2);
    else if (/[^su]s$/.test(root)) root = root.slice(0, -1);
    if (root.length > 5 && root.endsWith('ing')) root = undouble(root.slice(0, -3));
    else if (root.length > 4 && root.endsWith('ed')) root = undouble(root.slice(0, -2));
    else if (root.length > 5 && root.endsWith('ly')) root = root.slice(0, -2);
    else if (root.endsWith('ization')) root = root.slice(0, -5);
    if (root.length > 4 && root.endsWith('e')) root = root.slice(0, -1);
  } else if (root.length === 4 && /[^su]s$/.test(root)) root = root.slice(0, -1);
  if (stems.size < 200_000) stems.set(word, root);
  return root;
}

function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

/** The words of a plain text in lower case, in order. */
export function wordsOf(plain: string): string[] {
  const lower = plain.toLowerCase();
  return lower.match(ASCII.test(lower) ? /[a-z0-9]+(?:'[a-z]+)?/g : /[\p{L}\p{N}]+(?:['’][a-z]+)?/gu) ?? [];
}

/** A longer token is data, not a word. */
const MAX_WORD_LENGTH = 60;

/** The stems by which a text is indexed. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(plainText(text))) {
    const bare = word.includes("'") || word.includes('’') ? word.replace(/['’].*$/, '') : word;
    if (bare.length < 2 || bare.length > MAX_WORD_LENGTH || /^\d+$/.test(bare)) continue;
    if (STOP_WORDS.has(bare) && !INDEXED_STOP_WORDS.has(bare)) continue;
    terms.push(stem(bare));
  }
  return terms;
}
