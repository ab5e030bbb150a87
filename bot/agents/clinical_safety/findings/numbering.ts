import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { capped, compactPlaces, type Draft, groupByHazard, type Rule } from './rule.ts';

/** With fewer numbers there is no pattern to check. */
const MIN_NUMBERED = 6;
/** If a larger share differs from the pattern, there is no pattern. */
const MAX_OFF_SHARE = 0.3;

type Numbered = { hazard: LogHazard; row: number; cause: string; control: string };

/** The number from its own column, or from the start of the text. */
function digitsOf(log: ReadLog, row: number, own: CanonicalColumn, text: CanonicalColumn, pattern: RegExp): string {
  return pattern.exec(log.text(row, own))?.[0] ?? pattern.exec(log.text(row, text))?.[0] ?? '';
}

/** Every row's cause number ("0101 Messaging failure") and control number ("010101 Retry"); empty where it has none. */
function numbersOf(log: ReadLog): Numbered[] {
  return log.hazards.flatMap((hazard) =>
    hazard.rowNumbers.map((row) => ({
      hazard,
      row,
      cause: digitsOf(log, row, 'cause_id', 'cause', /^\d{3,6}(?!\d)/),
      control: digitsOf(log, row, 'control_id', 'control_text', /^\d{4,8}(?!\d)/),
    })),
  );
}

const columnIn = (log: ReadLog, own: CanonicalColumn, text: CanonicalColumn) => (log.has(own) ? own : text);

/** One finding for each hazard of the given rows. */
function draftByHazard(rows: Numbered[], draft: (hazard: LogHazard, own: Numbered[]) => Draft): Draft[] {
  return [...groupByHazard(rows)].map(([hazard, own]) => draft(hazard, own));
}

const listed = (words: string[]) => {
  const distinct = [...new Set(words)];
  return distinct.length > 6
    ? `${distinct.slice(0, 6).join(', ')} and ${distinct.length - 6} more`
    : distinct.join(', ');
};

/** "101" where every other cause is written with four digits, "0101". */
const causeOffPattern: Rule = {
  name: 'cause-id-off-pattern',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) => {
    const causes = numbersOf(log).filter(({ cause }) => cause);
    const widths = new Map<number, number>();
    for (const { cause } of causes) widths.set(cause.length, (widths.get(cause.length) ?? 0) + 1);
    const [usual = 0] = [...widths].sort((a, b) => b[1] - a[1])[0] ?? [];
    // Only zero-padded numbers have a fixed width: 99 and 100 can belong to one numbering.
    const isPadded = causes.some(({ cause }) => cause.length === usual && cause.startsWith('0'));
    const off = causes.filter(({ cause }) => cause.length !== usual);
    if (!isPadded || causes.length < MIN_NUMBERED || off.length > causes.length * MAX_OFF_SHARE) return [];
    const drafts = draftByHazard(off, (hazard, own) => ({
      title: `${hazard.id}: cause ${listed(own.map(({ cause }) => cause))} is not numbered as the others are`,
      message: `Causes of this log are numbered with ${usual} digits. ${listed(own.map(({ cause }) => cause))} under ${hazard.id} is not, so it may be mistaken for a cause other than ${listed(own.map(({ cause }) => cause.padStart(usual, '0')))}.`,
      hazardId: hazard.id,
      places: compactPlaces(own.map(({ row }) => log.place(row, columnIn(log, 'cause_id', 'cause')))),
      found: listed(own.map(({ cause }) => cause)),
      expected: listed(own.map(({ cause }) => cause.padStart(usual, '0'))),
    }));
    return capped(drafts, 'more hazards have causes that are not numbered as the others are');
  },
};

/**
 * "010502" is control 02 of cause 0105, if most controls of the log are numbered so; under cause 0106 it is out of
 * place.
 */
const controlOfAnother: Rule = {
  name: 'control-id-of-another-cause',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) => {
    const pairs = numbersOf(log).filter(({ cause, control }) => cause && control.length > cause.length);
    const off = pairs.filter(({ cause, control }) => Number(control.slice(0, -2)) !== Number(cause));
    if (pairs.length < MIN_NUMBERED || off.length > pairs.length * MAX_OFF_SHARE) return [];
    const drafts = draftByHazard(off, (hazard, own) => {
      const found = listed(own.map(({ control, cause }) => `${control} under ${cause}`));
      return {
        title: `${hazard.id}: ${own.length === 1 ? 'a control is' : `${own.length} controls are`} numbered as of another cause`,
        message: `Controls of this log begin with the number of their cause. Under ${hazard.id} these do not: ${found}. Either the number is wrong or the control is under the wrong cause.`,
        hazardId: hazard.id,
        places: compactPlaces(own.map(({ row }) => log.place(row, columnIn(log, 'control_id', 'control_text')))),
        found,
        expected: listed(own.map(({ cause }) => `${cause}…`)),
      };
    });
    return capped(drafts, 'more hazards have controls that are numbered as of another cause');
  },
};

export const numberingRules: Rule[] = [causeOffPattern, controlOfAnother];
