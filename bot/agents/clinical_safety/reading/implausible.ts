import { type CanonicalColumn, RATING_COLUMNS } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { nameOfRole, quoted, upperFirst } from './columnExamples.ts';
import { normaliseHeader } from './headerWords.ts';
import type { LogHazard, ReadLog } from './logModel.ts';
import { sameId } from './readHazards.ts';

/** Something of what was read that looks wrong by its own shape, whatever layout it was read from. */
type Implausible = {
  title: string;
  message: string;
  /** The columns that can’t be relied on; every one where the hazards themselves look wrong. */
  columns: readonly CanonicalColumn[] | 'all';
  /** Hazards that show it. */
  hazards: LogHazard[];
};

/** Fewer hazards than this are alike by chance. */
const MIN_ALIKE = 3;
/** In fewer rated hazards a wrong rating or two are most of them. */
const MIN_SWAPPED = 5;
/** So many controls at one hazard, and none at the others, are those of all. */
const MIN_HEAPED = 4;
const MAX_QUOTED = 3;
const MAX_LEVEL = 5;
/** A rating with a word or two of explanation has fewer words. */
const MIN_SENTENCE = 10;

const CONTROLS: CanonicalColumn[] = ['control_text', 'existing_controls', 'control_design'];

/** A number, a date, or a rating with its number: "3", "4.1", "2026-03-01", "3 – Major", "S2", "4C", "5x3=15". */
const MEASURE = /^\W*(?:[A-Z]{1,2}[-\s]?)?\d+(?:[\s./:×x*=-]+\d+)*[A-Z]?\W*$/i;
/** The words of scales and states, alone in a cell. */
const SCALE_WORD =
  /^(?:\d\s*[-–—:.)]?\s*)?(?:very |extremely |highly )?(?:negligible|insignificant|marginal|minimal|minor|moderate|significant|considerable|serious|major|severe|critical|catastrophic|extreme|low|medium|high|rare|remote|improbable|unlikely|possible|occasional|likely|probable|frequent|almost certain|incredible|acceptable|tolerable|undesirable|unacceptable|intolerable|alarp|yes|no|open|closed|done|pending|accepted|mitigated|implemented|verified|draft|tbd|tbc|n\/a)(?:\s*\(\d+\))?[.]?$/i;

/** An id in capitals without a space: “Bed 2” is a name. */
const BARE_ID = /^[A-Z]{2,8}(?:[-_.][A-Z]{1,6})?[-_.]?\d{1,6}$/;

/** Whether a text is a rating, a state, a date, a number or a bare id, and so neither a hazard nor a control. */
const saysNoThing = (text: string) => [MEASURE, SCALE_WORD, BARE_ID].some((form) => form.test(text.trim()));

const quote = (texts: readonly string[]) =>
  [...new Set(texts)]
    .slice(0, MAX_QUOTED)
    .map((text) => `“${text.slice(0, 40)}”`)
    .join(', ');

const isMost = (some: number, all: number) => some * 2 > all;

type Shape = Pick<ReadLog, 'hazards' | 'counted' | 'isFalling' | 'table' | 'modules'>;
type Check = (log: Shape) => Implausible | readonly Implausible[] | null;

/** Names that are ratings, numbers or states: rows of a scale, or a column that is not the one of the names. */
const namesAreNone: Check = ({ hazards }) => {
  const named = hazards.filter(({ name, id }) => name !== '' && name !== id);
  const odd = named.filter(({ name }) => saysNoThing(name));
  if (odd.length < 2 || !isMost(odd.length, named.length)) return null;
  return {
    title: 'The hazards may not be hazards',
    message: `${odd.length} of ${named.length} names are ratings, numbers, ids or states: ${quote(odd.map(({ name }) => name))}.`,
    columns: 'all',
    hazards: odd,
  };
};

/** One id for most hazards is that of a chapter, a form or a product. Where each module counts from 1 they come again. */
const idsAreAlike: Check = ({ hazards, modules }) => {
  const numbered = modules ? [] : hazards.filter(({ hasId }) => hasId);
  const count = new Set(numbered.map(({ id }) => sameId(id))).size;
  if (numbered.length <= MIN_ALIKE || count * 2 > numbered.length) return null;
  return {
    title: 'The ids may not be ids',
    message: `${numbered.length} hazards share ${count} ${count === 1 ? 'id' : 'ids'}.`,
    columns: ['id'],
    hazards: numbered,
  };
};

/** A column of hazards that was not read, where the names were taken from another. */
const namesAreElsewhere: Check = ({ table, hazards }) => {
  const [first] = hazards;
  if (!first || table.columns.some(({ canonical }) => canonical === 'name')) return null;
  const other = table.unmatched.find(({ header }) =>
    /^(?:hazards?|failure modes?) (?!.*\b(?:ids?|refs?|type|category|class|number)\b)/.test(normaliseHeader(header)),
  );
  if (!other) return null;
  return {
    title: 'The names may stand in another column',
    message: `“${quoted(other.header)}” was not read and may hold them.`,
    columns: ['name', 'description'],
    hazards: [first],
  };
};

/** "Likelihood 3 · Rating 4": what is said of another rating is left in the cell, or marks between them. */
const CROWDED =
  /\S\s*[·•|]|[·•|]\s*\S|\b(?:severity|likelihood|probability|consequence|risk|rating|score)\b ?[:=]? ?\d/i;
/** A rating has fewer characters, without what explains it; what is longer is prose. */
const MAX_RATING = 60;
const EXPLAINED = /\s*(?:\(|[—–]|- |: )[\s\S]*$/;

/** Ratings that hold more than one, and likelihoods in sentences. */
const ratingsAreCrowded: Check = ({ hazards }) =>
  (['initial', 'residual'] as const).flatMap((phase) =>
    (['severity', 'likelihood'] as const).flatMap((rating) => {
      const rated = hazards.filter((hazard) => hazard[phase][rating]?.trim());
      const textOf = (hazard: LogHazard) => hazard[phase][rating]?.trim() ?? '';
      const odd = rated.filter((hazard) => {
        const text = textOf(hazard);
        // Severities in sentences have a check of their own.
        const isProse = rating === 'likelihood' && text.replace(EXPLAINED, '').length > MAX_RATING;
        return isProse || CROWDED.test(text);
      });
      const [first] = odd;
      if (!first || odd.length * 2 < rated.length) return [];
      const role: CanonicalColumn = `${phase}_${rating}`;
      const columns: CanonicalColumn[] = [role, `${phase}_risk`];
      const title = `${upperFirst(nameOfRole(role))} may hold more than a rating`;
      return {
        title,
        message: `${odd.length} of ${rated.length} do, such as “${quoted(textOf(first))}”.`,
        columns,
        hazards: odd,
      };
    }),
  );

/** One name for every hazard, under ids that differ. */
const namesAreOne: Check = ({ hazards, counted }) => {
  const [first] = hazards;
  // Ids that count up under one name are a question of their own.
  if (!first || counted.length > 0 || hazards.length < MIN_ALIKE || first.name === '') return null;
  const isOne = hazards.every(({ name }) => name === first.name);
  if (!isOne || new Set(hazards.map(({ id }) => id)).size < hazards.length) return null;
  return {
    title: 'Every hazard has the same name',
    message: `All ${hazards.length} are called ${quote([first.name])}, so the names may stand in another column.`,
    columns: ['id', 'name'],
    hazards: [first],
  };
};

/** Controls that are ratings, numbers or states. */
const controlsAreNone: Check = ({ hazards }) => {
  const texts = hazards.flatMap((hazard) => hazard.controls.map(({ text }) => ({ hazard, text })));
  // Ids of controls that stand elsewhere are controls all the same.
  const odd = texts.filter(({ text }) => !BARE_ID.test(text.trim()) && saysNoThing(text));
  if (odd.length < 2 || !isMost(odd.length, texts.length)) return null;
  return {
    title: 'The controls may not be controls',
    message: `${odd.length} of ${texts.length} are ratings, numbers or states: ${quote(odd.map(({ text }) => text))}.`,
    columns: CONTROLS,
    hazards: [...new Set(odd.map(({ hazard }) => hazard))],
  };
};

const cellsOf = ({ controls }: LogHazard) => controls.map(({ place: { sheet, cell } }) => `${sheet}!${cell}`).join(' ');

/** The controls of the same cells at every hazard, or those of all at one. */
const controlsAreOne: Check = ({ hazards }) => {
  const [first] = hazards;
  if (!first || hazards.length < MIN_ALIKE) return null;
  const cells = cellsOf(first);
  const [heaped, ...others] = hazards.filter(({ controls }) => controls.length > 0);
  const isHeaped = heaped && others.length === 0 && heaped.controls.length >= Math.max(MIN_HEAPED, hazards.length);
  const isSame = cells !== '' && hazards.every((hazard) => cellsOf(hazard) === cells);
  if (!isHeaped && !isSame) return null;
  return {
    title: isSame ? 'Every hazard was given the same controls' : 'One hazard has all the controls',
    message: isSame
      ? `Each of the ${hazards.length} hazards was given ${quote(first.controls.map(({ text }) => text))} of the same place.`
      : `${heaped?.id} was given ${heaped?.controls.length} controls, and the ${hazards.length - 1} others none.`,
    columns: CONTROLS,
    hazards: [isSame || !heaped ? first : heaped],
  };
};

/** Most hazards worse after controls than before: the columns of the two may have changed places. */
const phasesAreSwapped: Check = (log) => {
  const rated = log.hazards.flatMap((hazard) => {
    const [before, after] = [hazard.initial.risk, hazard.residual.risk];
    return before === null || after === null ? [] : [{ hazard, before, after }];
  });
  const worse = rated.filter(({ before, after }) => (log.isFalling ? after < before : after > before));
  if (rated.length < MIN_SWAPPED || !isMost(worse.length, rated.length)) return null;
  return {
    title: 'The ratings before and after controls may have changed places',
    message: `${worse.length} of ${rated.length} hazards would be worse after controls than before.`,
    columns: RATING_COLUMNS,
    hazards: worse.map(({ hazard }) => hazard),
  };
};

/** A severity that is the risk in every row, beside a likelihood that is more than one. */
const severityIsRisk: Check = ({ hazards }) => {
  const rated = hazards.filter(
    ({ initial: { severity, likelihood, risk } }) => risk !== null && severity !== null && Number(likelihood) > 1,
  );
  // Up to 5 the two may be equal by a matrix of 1 to 5.
  if (!rated.some(({ initial }) => Number(initial.severity) > MAX_LEVEL)) return null;
  if (rated.length < MIN_ALIKE || !rated.every(({ initial }) => Number(initial.severity) === initial.risk)) return null;
  return {
    title: 'The severities may be the risks',
    message: `In all ${rated.length} rated hazards the severity is the same number as the risk, whatever the likelihood.`,
    columns: RATING_COLUMNS,
    hazards: rated,
  };
};

/** Severities in sentences that begin with neither a number nor a word of a scale. */
const severitiesAreTold: Check = ({ hazards }) => {
  const rated = hazards.filter(({ initial }) => initial.severity !== null);
  const odd = rated.filter(({ initial: { severity } }) => {
    const words = (severity ?? '').split(/\s+/);
    return words.length >= MIN_SENTENCE && !saysNoThing((words[0] ?? '').replace(/\W+$/, ''));
  });
  if (odd.length === 0 || !isMost(odd.length, rated.length)) return null;
  return {
    title: 'The severities may not be ratings',
    message: `${odd.length} of ${rated.length} are sentences: ${quote(odd.map(({ initial }) => initial.severity ?? ''))}.`,
    columns: RATING_COLUMNS,
    hazards: odd,
  };
};

const CHECKS: Check[] = [
  severitiesAreTold,
  idsAreAlike,
  namesAreNone,
  namesAreElsewhere,
  namesAreOne,
  ratingsAreCrowded,
  controlsAreNone,
  controlsAreOne,
  phasesAreSwapped,
  severityIsRisk,
];

/**
 * What looks wrong in a log as read, by the shape of the result alone: it speaks for a layout that was misread, and
 * nothing that rests on it can be called certain.
 */
export const findImplausible = (log: Shape): Implausible[] => CHECKS.flatMap((check) => check(log) ?? []);
