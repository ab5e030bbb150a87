import { counted } from '../counted.ts';
import { normaliseName } from '../reading/countedIds.ts';
import type { LogHazard } from '../reading/logModel.ts';
import { firstRowOf, sameId } from '../reading/readHazards.ts';
import { capped, compactPlaces, listIds, type Rule } from './rule.ts';

function groupBy(hazards: LogHazard[], key: (hazard: LogHazard) => string): LogHazard[][] {
  const groups = new Map<string, LogHazard[]>();
  for (const hazard of hazards) {
    const name = key(hazard);
    if (name) groups.set(name, [...(groups.get(name) ?? []), hazard]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

const numberOf = (id: string) => Number(/(\d{1,9})\D{0,20}$/.exec(id.slice(-40))?.[1]);

const duplicateId: Rule = {
  name: 'duplicate-id',
  level: 'fix',
  clause: '3.3.1',
  find: ({ log }) =>
    groupBy(
      log.hazards.filter(({ hasId }) => hasId),
      (hazard) => `${log.modules?.get(firstRowOf(hazard)) ?? ''} ${sameId(hazard.id)}`,
    ).map((hazards) => ({
      title: `${hazards[0]?.id} is the id of ${hazards.length} different hazards`,
      message: `The id stands for ${hazards.map(({ name }) => `“${name}”`).join(' and ')}. Ids are never used twice; give the later one the next free id.`,
      hazardId: hazards[0]?.id ?? null,
      places: hazards.map(({ rows }) => log.place(rows.first, 'id')),
      found: hazards[0]?.id ?? null,
      expected: 'one hazard per id',
    })),
};

const idsByModule: Rule = {
  name: 'ids-counted-by-module',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) => {
    if (!log.modules) return [];
    const shared = groupBy(log.hazards, ({ id, hasId }) => (hasId ? sameId(id) : ''));
    return [
      {
        title: `Each module counts its ids anew: ${counted(shared.length, 'id stands', 'ids stand')} for several hazards`,
        message: `${listIds(shared.flat())} come in several modules. Each was read as a hazard of its module; in a ticket or a document the id alone doesn’t say which is meant.`,
        hazardId: null,
        places: compactPlaces(shared.flat().map((hazard) => log.place(firstRowOf(hazard), 'id'))),
        found: listIds(shared.flat()),
        expected: 'one hazard per id',
      },
    ];
  },
};

const severalInOneCell: Rule = {
  name: 'several-hazards-in-one-cell',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) =>
    log.lists.choice === 'one'
      ? []
      : capped(
          log.lists.found.map(({ row, names }) => {
            const id = log.text(row, 'id') || `row ${row}`;
            const read = log.lists.choice === 'each' ? 'share one rating' : 'were read as one with one rating';
            return {
              title: `${id}: its name lists ${names.length} hazards`,
              message: `One cell names ${names.length} hazards, which ${read}. Give each a row of its own, so that each is rated and controlled.`,
              hazardId: log.hazards.find(({ rowNumbers }) => rowNumbers[0] === row)?.id ?? null,
              places: [log.place(row, 'name')],
              found: log.text(row, 'name') || log.text(row, 'description'),
              expected: 'one hazard per row',
            };
          }),
          'more cells name several hazards as lists',
        ),
};

const filledDown: Rule = {
  name: 'id-counted-up-by-dragging',
  level: 'fix',
  clause: '3.3.1',
  find: ({ log }) =>
    log.counted.map(({ rows, isBare, isOne }) => {
      const ids = rows.map((row) => log.text(row, 'id'));
      const name = log.text(rows[0] ?? 0, 'name') || (log.text(rows[0] ?? 0, 'description').split('\n')[0] ?? '');
      const under = isBare
        ? `${rows.length} rows stand under “${name}”, of which only the first has an effect or a rating,`
        : `${rows.length} rows in a row are all called “${name}”`;
      return {
        title: `${ids[0]} to ${ids.at(-1)}: one name, ids that count up`,
        message: `${under} and their ids count up, as when a cell is dragged down. ${isOne ? 'They were read as one hazard.' : 'They may be one hazard.'}`,
        hazardId: ids[0] ?? null,
        places: compactPlaces(rows.map((row) => log.place(row, 'id'))),
        found: `${ids[0]} to ${ids.at(-1)}`,
        expected: ids[0] ?? null,
        // Two hazards of one kind may stand below each other: only a row without content of its own, or a person, says more.
        ...(isBare || isOne ? {} : { level: 'check' as const }),
      };
    }),
};

const sameNameTwice: Rule = {
  name: 'same-name-several-ids',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) => {
    const inRuns = new Set(log.counted.flatMap(({ rows }) => rows));
    const dragged = new Set(log.hazards.filter((hazard) => inRuns.has(firstRowOf(hazard))));
    return groupBy(log.hazards, ({ name }) => normaliseName(name))
      .filter(
        (hazards) =>
          new Set(hazards.map(({ id }) => sameId(id))).size > 1 && !hazards.every((hazard) => dragged.has(hazard)),
      )
      .map((hazards) => ({
        title: `“${hazards[0]?.name}” is the name of ${hazards.length} hazards`,
        message: `${listIds(hazards)} have the same name. Either they are one hazard, or their names should tell them apart.`,
        hazardId: null,
        places: compactPlaces(hazards.map(({ rows }) => log.place(rows.first, 'name'))),
        found: listIds(hazards),
        expected: 'one id per name',
      }));
  },
};

/** "0101 Messaging failure" is cause 01 of hazard 01, if most causes of the log are numbered so. */
const causeOfAnother: Rule = {
  name: 'cause-id-of-another-hazard',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) => {
    const causes = log.hazards.flatMap((hazard) =>
      hazard.causes.flatMap((cause) =>
        cause.id && /\d{3,}/.test(cause.id) ? [{ hazard, cause, number: Math.floor(numberOf(cause.id) / 100) }] : [],
      ),
    );
    const off = causes.filter(({ hazard, number }) => number !== numberOf(hazard.id));
    // With three or fewer causes, a single one already exceeds this share.
    if (off.length > causes.length * 0.3) return [];
    return off.map(({ hazard, cause }) => ({
      title: `${hazard.id}: cause ${cause.id} is numbered as one of another hazard`,
      message: `Causes of this log begin with the number of their hazard. “${cause.text.slice(0, 120)}” stands under ${hazard.id}.`,
      hazardId: hazard.id,
      places: [cause.place],
      found: cause.id,
      expected: `${String(numberOf(hazard.id)).padStart(2, '0')}…`,
    }));
  },
};

export const identityRules: Rule[] = [
  duplicateId,
  idsByModule,
  severalInOneCell,
  filledDown,
  sameNameTwice,
  causeOfAnother,
];
