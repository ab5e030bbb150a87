/** An id with letters before its number, whole: "NRL01", "HAZ-12", "IMG-H07". A bare number is no form to look for. */
const ID = /^([A-Za-z]{1,12}(?:[-_./ ][A-Za-z]{1,6})?[-_./ ]?)\d{1,6}[a-z]?$/;
/** What may be such an id within a text. Its parts are bounded, so that a long word is read once. */
const ID_IN_TEXT = /(?<![A-Za-z0-9])([A-Za-z]{1,12}(?:[-_./][A-Za-z]{1,6})?[-_./ ]?)\d{1,6}[a-z]?(?![A-Za-z0-9])/g;

/** The letters of an id up to its number, in capitals: "IMG-H". Undefined for any other text. */
export const idPrefix = (text: string): string | undefined => ID.exec(text.trim())?.[1]?.toUpperCase();

/** What looks like an id in a text, with its letters in capitals. */
export const idsIn = (text: string): { id: string; prefix: string }[] =>
  [...text.matchAll(ID_IN_TEXT)].map(([id, prefix = '']) => ({ id, prefix: prefix.toUpperCase() }));

/** The id that a text is or begins with, as it stands there: of "H-01 (wrong dose)" that is "H-01"; null for any other text. */
export const refIn = (text: string): string | null => REF.exec(text.trim())?.[1] ?? null;
const REF = /^([A-Za-z]{1,8}[-_.]?(?:[A-Za-z]{1,4}[-_.]?)?\d{1,6})(?=$|[\s:(–—-])/;
