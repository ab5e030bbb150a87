import { counted } from '../counted.ts';
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

/** A name without differences of case and spaces. Signs count: "+1+1" and "=1+1" are two names. */
const normaliseName = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase();

const numberOf = (id: string) => Number(/(\d{1,9})\D{0,20}$/.exec(id.slice(-40))?.[1]);

/** Runs of adjacent hazards with one name and consecutive ids, as made by dragging a cell down. */
function fillDrags(hazards: LogHazard[]): LogHazard[][] {
  const runs: LogHazard[][] = [];
  let run: LogHazard[] = [];
  const flush = () => {
    if (run.length > 1) runs.push(run);
  };
  for (const hazard of hazards) {
    const last = run.at(-1);
    const continuesRun =
      last &&
      hazard.hasId &&
      normaliseName(last.name) === normaliseName(hazard.name) &&
      hazard.name !== '' &&
      numberOf(hazard.id) === numberOf(last.id) + 1 &&
      hazard.rows.first === last.rows.last + 1 &&
      hazard.rows.sheet === last.rows.sheet;
    if (continuesRun) run.push(hazard);
    else {
      flush();
      run = [hazard];
    }
  }
  flush();
  return runs;
}

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

/** A line that begins with a bullet or a number. */
const BULLET = /^\s*(?:[-–•*·▪◦‣]|\(?\d{1,2}[.)])\s+\S/;

/** The lines of a cell that are bullets; none where another line stands among them. */
function bulletsOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.length > 1 && lines.every((line) => BULLET.test(line)) ? lines : [];
}

const severalInOneCell: Rule = {
  name: 'several-hazards-in-one-cell',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) =>
    capped(
      log.hazards.flatMap((hazard) => {
        const row = firstRowOf(hazard);
        const bullets = bulletsOf(log.text(row, 'name'));
        return bullets.length === 0
          ? []
          : [
              {
                title: `${hazard.id}: its name lists ${bullets.length} hazards as bullets`,
                message: `One cell names ${bullets.length} hazards, which were read as one with one rating. Give each a row of its own, so that each is rated and controlled.`,
                hazardId: hazard.id,
                places: [log.place(row, 'name')],
                found: log.text(row, 'name'),
                expected: 'one hazard per row',
              },
            ];
      }),
      'more cells name several hazards as bullets',
    ),
};

const filledDown: Rule = {
  name: 'id-counted-up-by-dragging',
  level: 'fix',
  clause: '3.3.1',
  find: ({ log }) =>
    fillDrags(log.hazards).map((run) => ({
      title: `${run[0]?.id} to ${run.at(-1)?.id}: one name, ids that count up`,
      message: `${run.length} rows in a row are all called “${run[0]?.name}” and their ids count up, as when a cell is dragged down. They may be one hazard.`,
      hazardId: run[0]?.id ?? null,
      places: compactPlaces(run.map(({ rows }) => log.place(rows.first, 'id'))),
      found: `${run[0]?.id} to ${run.at(-1)?.id}`,
      expected: run[0]?.id ?? null,
    })),
};

const sameNameTwice: Rule = {
  name: 'same-name-several-ids',
  level: 'check',
  clause: '3.3.1',
  find: ({ log }) => {
    const dragged = new Set(fillDrags(log.hazards).flat());
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
