import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { CONTROL_COLUMNS } from '../reading/controlColumns.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { saysNothing } from '../reading/saysNothing.ts';
import { capped, compactPlaces, groupByHazard, groupHits, type Hit, headingPlace, type Rule } from './rule.ts';

const CLOSED = /\b(?:closed|complete[d]?|accepted|done|resolved)\b/i;
const OPEN = /\b(?:open|in progress|outstanding|pending|to do|todo|not started|awaiting|ongoing|tbc|overdue)\b/i;

const closedWithOpenAction: Rule = {
  name: 'closed-with-open-action',
  level: 'fix',
  clause: '6.3.1',
  find: (context) => {
    const { log } = context;
    const hits: Hit[] = [];
    for (const hazard of log.hazards) {
      if (!hazard.status || !CLOSED.test(hazard.status) || OPEN.test(hazard.status)) continue;
      for (const row of hazard.rowNumbers) {
        const status = log.text(row, 'action_status');
        if (OPEN.test(status) && !CLOSED.test(status))
          hits.push({ hazard, row, column: 'action_status', found: status, expected: 'closed, as the hazard is' });
      }
    }
    return groupHits(context, hits, {
      one: (hazard, { found }) => ({
        title: `${hazard.id}: closed, with an action that is ${found?.toLowerCase()}`,
        message: `The status of ${hazard.id} is “${hazard.status}” and an action behind it is “${found}”. A hazard closes once its controls are in place.`,
      }),
      many: (count, _all, ids) => ({
        title: `${count} hazards are closed with open actions`,
        message: `A hazard closes once its controls are in place. Open actions are under ${ids}.`,
      }),
    });
  },
};

const hasControl = (log: ReadLog, row: number) =>
  CONTROL_COLUMNS.some((control) => !saysNothing(log.text(row, control)));

/** Rows that have a control but leave the given column blank. */
function controlsWithout(log: ReadLog, column: CanonicalColumn): Hit[] {
  if (!log.has(column)) return [];
  return log.hazards.flatMap((hazard) =>
    hazard.rowNumbers
      .filter((row) => !log.text(row, column) && hasControl(log, row))
      .map((row) => ({ hazard, row, column })),
  );
}

const controlWithoutOwner: Rule = {
  name: 'control-without-owner',
  level: 'check',
  clause: '6.3.1',
  find: (context) =>
    groupHits(context, controlsWithout(context.log, 'control_owner'), {
      one: (hazard) => ({
        title: `${hazard.id}: a control has no owner`,
        message: `A control of ${hazard.id} names nobody who puts it in place.`,
      }),
      many: (count, all, ids) => ({
        title: `Controls have no owner in ${all ? 'all ' : ''}${count} hazards`,
        message: `Controls name nobody who puts them in place: ${ids}.`,
      }),
    }),
};

const controlWithoutEvidence: Rule = {
  name: 'control-without-evidence',
  level: 'check',
  clause: '6.3.2',
  find: (context) =>
    groupHits(context, controlsWithout(context.log, 'evidence'), {
      one: (hazard) => ({
        title: `${hazard.id}: a control has no evidence`,
        message: `Nothing shows that a control of ${hazard.id} was put in place and works: no ticket, test or document.`,
      }),
      many: (count, all, ids) => ({
        title: `Controls have no evidence in ${all ? 'all ' : ''}${count} hazards`,
        message: `Nothing shows that the controls were put in place and work (ticket, test or document): ${ids}.`,
      }),
    }),
};

const ROW_COLUMNS: [CanonicalColumn, string][] = [
  ['control_type', 'type'],
  ['action', 'action'],
  ['action_status', 'action status'],
];

/** Control rows that leave a column blank which most control rows of the log fill. */
const controlRowIncomplete: Rule = {
  name: 'control-row-incomplete',
  level: 'check',
  clause: '6.3.1',
  find: ({ log }) => {
    const rows = log.hazards.flatMap((hazard) =>
      hazard.rowNumbers.filter((row) => hasControl(log, row)).map((row) => ({ hazard, row })),
    );
    const used = ROW_COLUMNS.filter(
      ([column]) => log.has(column) && rows.filter(({ row }) => log.text(row, column)).length * 2 > rows.length,
    );
    const gaps = rows.flatMap(({ hazard, row }) =>
      used.filter(([column]) => !log.text(row, column)).map(([column, label]) => ({ hazard, row, column, label })),
    );
    const drafts = [...groupByHazard(gaps)].map(([hazard, own]) => {
      const labels = used.flatMap(([column, label]) =>
        own.some((gap) => gap.column === column) ? [`no ${label}`] : [],
      );
      const count = new Set(own.map(({ row }) => row)).size;
      const says = `${labels.slice(0, -1).join(', ')}${labels.length > 1 ? ' or ' : ''}${labels.at(-1)}`;
      return {
        title: `${hazard.id}: ${count === 1 ? 'a control has' : `${count} controls have`} ${says}`,
        message: `Most controls of this log say their ${used.map(([, label]) => label).join(', ')}. Under ${hazard.id} ${count === 1 ? 'one has' : `${count} have`} ${says}, so the log does not show what is to be done, or whether it was done.`,
        hazardId: hazard.id,
        places: compactPlaces(own.map(({ row, column }) => log.place(row, column))),
        found: null,
        expected: null,
      };
    });
    return capped(drafts, 'more hazards have controls that leave something blank');
  },
};

const noEvidenceColumn: Rule = {
  name: 'no-evidence-column',
  level: 'note',
  clause: '6.3.2',
  find: ({ log }) => {
    if (log.has('evidence') || log.hazards.length === 0 || !log.hazards.some(({ controls }) => controls.length > 0))
      return [];
    return [
      {
        title: 'The log has no column for the evidence of controls',
        message:
          'Each control is to be verified. A column for the ticket, test or document that shows it would let this be checked.',
        hazardId: null,
        places: [headingPlace(log)],
        found: null,
        expected: null,
      },
    ];
  },
};

export const controlRules: Rule[] = [
  closedWithOpenAction,
  controlWithoutOwner,
  controlWithoutEvidence,
  controlRowIncomplete,
  noEvidenceColumn,
];
