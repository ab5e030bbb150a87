import { idPrefix } from './idForm.ts';
import { sameId } from './readHazards.ts';

/** The most cells of a line such as "Approved by: | name | date". */
const MAX_FORM_CELLS = 3;
/** The most columns of a small table below a log, such as a glossary. */
const MAX_LIST_CELLS = 4;

const TOTAL =
  /^(?:(?:sub|grand)[- ]?)?totals?(?: (?:number|no\.?|count))?(?: of)?(?: (?:all|open|closed|new))?(?: (?:hazards?|risks?|rows?|items?|entries|scores?))?[:= ]{0,3}\d{0,6}$/i;
const COUNT =
  /^(?:number|no\.?|count|sum) of (?:(?:all|open|closed|new) )?(?:hazards?|risks?|rows?|items?|entries)[:= ]{0,3}\d{0,6}$/i;
const LINE = /^(?:sum|count|average|mean|end of (?:log|document|table)|notes?|key|legend)\b[: ]*$/i;
const EXTREME =
  /^(?:highest|lowest|max(?:imum)?|min(?:imum)?|average|mean|worst) (?:(?:current|open|initial|residual|overall|remaining) )?(?:scores?|risks?|ratings?|severity|rpn)\b.{0,20}$/i;
const NUMBERED_NOTE = /^notes? ?\d{0,3} ?[:.] /i;
const SIGNATURE = /^(?:signed(?: off)?|approved|authori[sz]ed|prepared|reviewed|checked|written|completed) by$/i;

/** A total, a note, or a line to fill in, such as for a signature: they stand below the hazards in the same columns. */
export function isBelowLog(text: string, filled: number): boolean {
  if (TOTAL.test(text) || COUNT.test(text) || LINE.test(text)) return true;
  if (filled <= 2 && EXTREME.test(text)) return true;
  if (filled > MAX_FORM_CELLS) return false;
  // An id has a number, also one that is written with a colon.
  return /^[^\d]{1,60}:$/.test(text) || NUMBERED_NOTE.test(text) || SIGNATURE.test(text);
}

/** Titles of lists that stand below a log, alone in their row. */
const LIST_TITLE =
  /^(?:glossary|abbreviations?|acronyms?|definitions?|terminology|(?:version|revision|document|change) (?:history|control))(?: (?:of|and) [a-z ]{1,40})?:?$/i;
/** A list below a title has a term and its meaning, unless a row of headings says more. */
const TITLED_CELLS = 2;
/** Headings of such lists: what is explained, and what is said of it. */
const LIST_SUBJECTS = new Set(
  'term terms abbreviation acronym word version revision issue name person role severity likelihood consequence probability rating level score risk colour color code status symbol document reference'.split(
    ' ',
  ),
);
const LIST_WORDS = new Set(
  'meaning definition description explanation expansion interpretation role title organisation organization date author changes change summary comment comments signature responsibility source'
    .split(' ')
    .concat('full form', 'full name', 'stands for'),
);
const wordOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s:]+/g, ' ')
    .trim();

/** How many columns a list has that begins with a row of these texts, below a log; 0 where none begins. */
export function startsList(texts: readonly string[]): number {
  const given = texts.filter(Boolean);
  if (given.length > MAX_LIST_CELLS) return 0;
  const [first = '', ...others] = given.map(wordOf);
  if (others.length === 0) return LIST_TITLE.test(first) ? TITLED_CELLS : 0;
  return LIST_SUBJECTS.has(first) && others.every((word) => LIST_WORDS.has(word)) ? given.length : 0;
}

/** Whether an id below a list has the form of the log's ids: then the log continues there. */
export function isNextId(id: string, ids: readonly string[]): boolean {
  const prefix = idPrefix(id);
  if (prefix) return ids.some((known) => idPrefix(known) === prefix);
  // A bare number may be a score or a version: it is an id only where it is a new one.
  return /^\d{1,6}$/.test(id) && ids.some((known) => /^\d{1,6}$/.test(known)) && !ids.map(sameId).includes(sameId(id));
}
