/** Characters that nobody sees: soft hyphens, joiners, marks of direction. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Marks of Markdown that are shown as a style, e.g. the stars in "**L**ow". A star before a space is a list's. */
const STYLE = /\*+(?!\s)|(?<=\S)\*+|~~|`|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;

/**
 * A text as a person reads it, so that the check compares what they see: without styles and what is invisible, with
 * full-width and circled characters as plain ones.
 */
export const asRead = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .replaceAll(STYLE, '')
    .replaceAll(/[\u2010\u2011]/g, '-')
    .replaceAll('\u3002', '.');

/** Letters that look like Latin ones beside Latin ones, and digits that are not 0 to 9: their words can't be checked. */
const DISGUISED =
  /[\p{sc=Latin}][\p{sc=Cyrillic}\u0391-\u03a1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c5]|[\p{sc=Cyrillic}\u0391-\u03a1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c5][\p{sc=Latin}]|(?![0-9])\p{Nd}/u;

/** Whether a text has words or figures that look like others. */
export const isDisguised = (text: string): boolean => DISGUISED.test(text);
