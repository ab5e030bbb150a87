import type { Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { parseAddress } from '../ooxml/cellAddress.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { firstRowOf } from '../reading/readHazards.ts';
import { weakened } from './assumption.ts';
import type { Draft, Rule } from './rule.ts';

/** With at least this many ids of letters and a number, they are the log's form of ids. */
const MIN_FORMED = 3;

/** A title names at most this many. */
const MAX_NAMED = 3;

/** Letters and a number, as in "HAZ-12". */
const hasForm = ({ id, hasId }: LogHazard) => hasId && /^[A-Za-z]{1,12}[-_./ ]?\d/.test(id);

const saysLittle = ({ initial, residual, controls, clinicalImpact }: LogHazard) =>
  clinicalImpact === '' &&
  controls.length === 0 &&
  [initial, residual].every(({ severity, likelihood, risk }) => !severity && !likelihood && risk === null);

/**
 * Hazards at the end of a log, or any card, whose ids are not letters and a number as the log's are, and that have
 * neither an effect, a rating nor a control: lines of a list that has neither a title nor headings, or hazards that were
 * only begun.
 */
function findDoubtful({ hazards, isPutTogether }: Pick<ReadLog, 'hazards' | 'isPutTogether'>): LogHazard[] {
  if (hazards.every(({ hasId }) => !hasId)) return findDoubtfulUnnumbered(hazards);
  if (hazards.filter(hasForm).length < MIN_FORMED) return [];
  const isSure = (hazard: LogHazard) => !hazard.hasId || hasForm(hazard) || !saysLittle(hazard);
  // A card that is none can stand anywhere: a chapter on the scale before the first hazard.
  if (isPutTogether) return hazards.filter((hazard) => !isSure(hazard));
  return hazards.slice(hazards.findLastIndex(isSure) + 1);
}

/** In a log without ids: hazards below a blank row at the end that say as little, below such that say more. */
function findDoubtfulUnnumbered(hazards: readonly LogHazard[]): LogHazard[] {
  if (hazards.filter((hazard) => !saysLittle(hazard)).length < MIN_FORMED) return [];
  const from = hazards.findLastIndex((hazard) => !saysLittle(hazard)) + 1;
  const isBelowGap = (hazard: LogHazard, at: number) => {
    const above = hazards[at - 1]?.rows;
    return above?.sheet === hazard.rows.sheet && hazard.rows.first > above.last + 1;
  };
  const gap = hazards.findIndex((hazard, at) => at >= from && isBelowGap(hazard, at));
  return gap < 0 ? [] : hazards.slice(gap);
}

const keyOf = ({ sheet, cell }: Place) => `${sheet}!${parseAddress(cell.split(':')[0] ?? '')?.row}`;

/** Makes findings on nothing but doubtful rows ones to check, with the reason. */
export function underDoubtfulRows(log: ReadLog): (draft: Draft) => Draft {
  const rows = new Set(
    findDoubtful(log).flatMap(({ rowNumbers }) => rowNumbers.map((row) => keyOf(log.place(row, 'id')))),
  );
  return (draft) =>
    rows.size > 0 && draft.places.length > 0 && draft.places.every((place) => rows.has(keyOf(place)))
      ? weakened(draft, 'This assumes that the row is a hazard at all.')
      : draft;
}

const rowMayBeNoHazard: Rule = {
  name: 'row-may-be-no-hazard',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) => {
    const doubtful = findDoubtful(log);
    const [first] = doubtful;
    if (!first) return [];
    const ids = doubtful.map(({ id, hasId, name }) => `“${hasId ? id : name}”`);
    const isNumbered = first.hasId;
    return [
      {
        title: log.isPutTogether
          ? `${ids.slice(0, MAX_NAMED).join(', ')} may be no ${doubtful.length === 1 ? 'hazard' : 'hazards'}`
          : doubtful.length === 1
            ? `The last row, ${ids[0]}, may be no hazard`
            : `The last ${doubtful.length} rows, from ${ids[0]} to ${ids.at(-1)}, may be no hazards`,
        message: `${
          !isNumbered
            ? `${doubtful.length === 1 ? 'It stands' : 'They stand'} below a blank row and ${doubtful.length === 1 ? 'has' : 'have'}`
            : doubtful.length === 1
              ? 'Its id is not written as the log’s are, and it has'
              : 'Their ids are not written as the log’s are, and they have'
        } neither an effect, a rating nor a control. A list, such as of abbreviations, belongs on a sheet of its own, or under headings of its own.`,
        hazardId: doubtful.length === 1 ? first.id : null,
        places: doubtful.map((hazard) => log.place(firstRowOf(hazard), 'id')),
        found: ids[0] ?? null,
        expected: isNumbered ? 'an id in the form of the log’s' : 'an effect, a rating or a control',
      },
    ];
  },
};

export const doubtfulRules: Rule[] = [rowMayBeNoHazard];
