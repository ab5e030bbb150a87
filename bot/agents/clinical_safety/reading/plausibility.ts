import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { normaliseRatingWord } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { nameOfRole, quoted, upperFirst } from './columnExamples.ts';
import { normaliseHeader } from './headerWords.ts';
import type { LogHazard, ReadLog } from './logModel.ts';
import type { ReadingDoubt } from './openPoints.ts';
import { sameId } from './readHazards.ts';

/** What was read, as far as its own shape can tell that it was read wrong. */
type Read = Pick<ReadLog, 'table' | 'hazards' | 'modules'>;

/** Fewer hazards can be alike by chance. */
const MIN_HAZARDS = 4;
const IMPLAUSIBLE = 'implausible';
const NAMES: CanonicalColumn[] = ['name', 'description'];
const CONTROLS: CanonicalColumn[] = [
  ...(['control_text', 'existing_controls', 'control_design'] as const),
  ...(['control_test', 'control_training', 'control_business'] as const),
];

const doubt = (columns: CanonicalColumn[], why: string): ReadingDoubt[] => [{ point: IMPLAUSIBLE, columns, why }];
/** Whether at most half of some texts are different ones. */
const areMostlyAlike = (texts: readonly string[]): boolean =>
  texts.length >= MIN_HAZARDS && new Set(texts).size * 2 <= texts.length;

/** One id for many hazards is that of a chapter, a form or a product. Where each module counts from 1 they come again. */
function idsAlike({ hazards, modules }: Read): ReadingDoubt[] {
  if (modules) return [];
  const ids = hazards.flatMap(({ id, hasId }) => (hasId ? sameId(id) : []));
  if (!areMostlyAlike(ids)) return [];
  const count = new Set(ids).size;
  return doubt(
    ['id'],
    `${ids.length} hazards share ${count} ${count === 1 ? 'id' : 'ids'}: what was read as ids may be something else.`,
  );
}

const NUMBER = /^[\d.,%\s/×x*=-]+$/;
const CODE = /^[a-z]{1,3}[-_. ]?\d{1,6}$/i;
const SCALE_WORDS = new Set(
  `negligible insignificant minor marginal moderate medium considerable significant major serious severe critical
   catastrophic fatal low high very low very high likely unlikely possible rare remote occasional probable frequent
   improbable certain acceptable unacceptable undesirable tolerable alarp`
    .replace(/very (low|high)/g, 'very_$1')
    .split(/\s+/)
    .map((word) => word.replace('_', ' ')),
);
const isNoName = (name: string): boolean =>
  NUMBER.test(name) || CODE.test(name) || SCALE_WORDS.has(normaliseRatingWord(name));

/** A name that is a number, an id or a word of a scale, or the same for most, stands in another column. */
function namesOfAnotherKind({ hazards }: Read): ReadingDoubt[] {
  const names = hazards.flatMap(({ name }) => name.trim() || []);
  const odd = names.filter(isNoName);
  const [first = ''] = odd;
  if (names.length > 1 && odd.length * 2 >= names.length)
    return doubt(
      NAMES,
      `${odd.length} of ${names.length} names are numbers, ids or ratings, such as “${quoted(first)}”.`,
    );
  return areMostlyAlike(names)
    ? doubt(NAMES, `${names.length} hazards share ${new Set(names).size} names: they may stand in another column.`)
    : [];
}

/** A column of hazards that was not read, where the names were taken from another. */
function namesElsewhere({ table, hazards }: Read): ReadingDoubt[] {
  if (hazards.length === 0 || table.columns.some(({ canonical }) => canonical === 'name')) return [];
  const other = table.unmatched.find(({ header }) =>
    /^(?:hazards?|failure modes?) (?!.*\b(?:ids?|refs?|type|category|class|number)\b)/.test(normaliseHeader(header)),
  );
  return other ? doubt(NAMES, `“${quoted(other.header)}” was not read and may hold the names.`) : [];
}

/** "Likelihood 3 · Rating 4": what is said of another rating is left in the cell, or marks between them. */
const CROWDED =
  /\S\s*[·•|]|[·•|]\s*\S|\b(?:severity|likelihood|probability|consequence|risk|rating|score)\b ?[:=]? ?\d/i;
/** A rating has fewer characters, without what explains it; what is longer is prose. */
const MAX_RATING = 60;
const EXPLAINED = /\s*(?:\(|[—–]|- |: )[\s\S]*$/;

/** Ratings that hold more than one, or a sentence. */
function ratingsOfAnotherKind({ hazards }: Read): ReadingDoubt[] {
  return (['initial', 'residual'] as const).flatMap((phase) =>
    (['severity', 'likelihood'] as const).flatMap((rating) => {
      const texts = hazards.flatMap((hazard) => hazard[phase][rating]?.trim() || []);
      const odd = texts.filter((text) => text.replace(EXPLAINED, '').length > MAX_RATING || CROWDED.test(text));
      const role: CanonicalColumn = `${phase}_${rating}`;
      const isOdd = odd.length > 0 && odd.length * 2 >= texts.length;
      return isOdd
        ? doubt(
            [role, `${phase}_risk`],
            `${upperFirst(nameOfRole(role))} holds more than a rating: “${quoted(odd[0] ?? '')}”.`,
          )
        : [];
    }),
  );
}

const controlsOf = ({ controls }: LogHazard) => controls.map(({ text }) => text.trim()).join('\n');

/** The same controls for every hazard were read from one place for all. */
function controlsAlike({ hazards }: Read): ReadingDoubt[] {
  const texts = hazards.map(controlsOf);
  return texts.length >= MIN_HAZARDS && texts[0] && new Set(texts).size === 1
    ? doubt(CONTROLS, `All ${texts.length} hazards have the same controls: they may be those of something else.`)
    : [];
}

const CHECKS = [idsAlike, namesOfAnotherKind, namesElsewhere, ratingsOfAnotherKind, controlsAlike];

/**
 * Signs, in what was read, that a column stands for something else. Findings that rest on such a column are to check,
 * never to fix. A log that is read right may show one of them; what is said then is true of the log.
 */
export const findImplausible = (read: Read): ReadingDoubt[] => CHECKS.flatMap((check) => check(read));

/** The sentence about a doubt among the remarks on how a log was read. */
export const describeImplausible = ({ why }: ReadingDoubt): string => `To check: ${why}`;
