import {
  type CanonicalColumn,
  RATING_COLUMNS,
  type Unread,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { firstRowOf } from '../reading/readHazards.ts';
import { riskUnder, weakened } from './assumption.ts';
import { findControlLimit } from './controlLimit.ts';
import { blankCells, type Draft, groupHits, headingPlace, type Rule, type RuleContext } from './rule.ts';

/** Whether the log has any rating at all. Without one, a single finding replaces one per hazard. */
function hasRatings({ log }: RuleContext): boolean {
  return (
    RATING_COLUMNS.some((column) => log.dataRows.some((row) => log.text(row, column))) ||
    log.dataRows.some((row) => log.likelihoodOf(row, 'initial'))
  );
}

type Blank = {
  name: string;
  column: CanonicalColumn;
  label: string;
  level: Rule['level'];
  clause: string | null;
  why: string;
  rating?: true;
};

/** Cells that every hazard should fill, one rule each. */
const BLANKS: Blank[] = [
  {
    name: 'missing-name',
    column: 'name',
    label: 'Name',
    level: 'fix',
    clause: '3.3.1',
    why: 'A hazard without a name can’t be referred to.',
  },
  {
    name: 'missing-severity',
    column: 'initial_severity',
    label: 'Initial severity',
    level: 'fix',
    clause: '4.4.1',
    why: 'Severity, likelihood and risk are estimated for each hazard.',
    rating: true,
  },
  {
    name: 'missing-likelihood',
    column: 'initial_likelihood',
    label: 'Initial likelihood',
    level: 'fix',
    clause: '4.4.1',
    why: 'Severity, likelihood and risk are estimated for each hazard.',
    rating: true,
  },
  {
    name: 'missing-risk',
    column: 'initial_risk',
    label: 'Initial risk',
    level: 'fix',
    clause: '4.4.1',
    why: 'Severity, likelihood and risk are estimated for each hazard.',
    rating: true,
  },
  {
    name: 'missing-clinical-impact',
    column: 'clinical_impact',
    label: 'Clinical impact',
    level: 'fix',
    clause: '4.3.1',
    why: 'Without the harm to a patient a hazard can’t be rated.',
  },
  {
    name: 'missing-cause',
    column: 'cause',
    label: 'Cause',
    level: 'check',
    clause: '4.3.1',
    why: 'Controls act on causes.',
  },
  {
    name: 'missing-owner',
    column: 'owner',
    label: 'Owner',
    level: 'check',
    clause: null,
    why: 'Nobody is named as responsible.',
  },
  {
    name: 'missing-status',
    column: 'status',
    label: 'Status',
    level: 'check',
    clause: '6.4.1',
    why: 'The log does not show whether the hazard was considered and accepted.',
  },
  {
    name: 'missing-review-date',
    column: 'review_date',
    label: 'Review date',
    level: 'check',
    clause: '2.6.1',
    why: 'The log does not show when it was last reviewed.',
  },
];

const blankRules: Rule[] = BLANKS.map(({ name, column, label, level, clause, why, rating }) => ({
  name,
  level,
  clause,
  find: (context) =>
    rating && !hasRatings(context)
      ? []
      : groupHits(context, blankCells(context.log, column), {
          one: (hazard) => ({
            title: `${hazard.id}: ${label.toLowerCase()} is blank`,
            message: `${label} is blank for ${hazard.id}. ${why}`,
          }),
          many: (count, all, ids) =>
            all
              ? {
                  title: `${label} is blank in all ${count} hazards`,
                  message: `The column is there and empty: ${label.toLowerCase()} is blank in all ${count} hazards. ${why}`,
                }
              : { title: `${label} is blank in ${count} hazards`, message: `${label} is blank in ${ids}. ${why}` },
        }),
}));

/** What is said of one hazard whose risk needs controls. */
function describeInitial(log: ReadLog, { id, initial }: LogHazard): string {
  const risk = riskUnder(log, initial);
  return risk === null ? `${id} is rated before controls` : `The initial risk of ${id} is ${risk}`;
}

/** A column that was not read and whose cells all look like ids of their own. */
const findIdLikeColumn = ({ table, dataRows, has }: ReadLog) =>
  has('id')
    ? undefined
    : table.unmatched.find(({ column }) => {
        const texts = dataRows.map((row) => table.grid.rows[row]?.[column]?.text.trim() ?? '');
        return (
          new Set(texts).size === texts.length &&
          texts.every((text) => /^(?:[A-Za-z]{1,12}[-_./ ]?)?\d{1,6}[a-z]?$/.test(text))
        );
      });

const missingId: Rule = {
  name: 'missing-id',
  level: 'fix',
  clause: '3.3.1',
  find: (context) => {
    const idLike = findIdLikeColumn(context.log);
    const drafts = groupHits(
      context,
      context.log.hazards
        .filter(({ hasId }) => !hasId)
        .map((hazard) => ({ hazard, row: firstRowOf(hazard), column: 'id' as const })),
      {
        one: (hazard) => ({
          title: `Row ${hazard.rows.first}: the hazard has no id`,
          message: `“${hazard.name}” in row ${hazard.rows.first} has no id, so nothing can refer to it.`,
        }),
        many: (count, all) => ({
          title: `${all ? 'All' : ''} ${count} hazards have no id`.trim(),
          message: `${count} hazards have no id, so nothing can refer to them.`,
        }),
      },
    );
    return idLike
      ? drafts.map((draft) => weakened(draft, `The column “${idLike.header}” was not read and may hold them.`))
      : drafts;
  },
};

/** What was not read may be a rating or a control where it is headed so. */
const CONTROL_WORDS = /control|measure|mitigat|barrier|safeguard|ma(?:ß|ss)nahm|mesure|medida|misur|maatregel/i;
const RATING_WORDS =
  /\binit(?:ial)?\b|\bresid(?:ual)?\b|\braw\b|sever|likel|probab|consequen|\brisk\b|rating|score|\bbefore\b|\bafter\b/i;

/** Findings to check, with what was not read and may hold what they miss; the same findings where nothing is headed so. */
function underUnread({ log }: RuleContext, drafts: Draft[], words: RegExp): Draft[] {
  const isHeaded = ({ what, label }: Unread) => (what === 'column' || what === 'rows') && words.test(label);
  const unread = drafts.length > 0 ? log.findUnread().find(isHeaded) : undefined;
  return unread ? drafts.map((draft) => weakened(draft, `“${unread.label}” was not read and may hold them.`)) : drafts;
}

const noRatings: Rule = {
  name: 'no-ratings',
  level: 'fix',
  clause: '4.4.1',
  find: (context) => {
    if (hasRatings(context) || context.log.hazards.length === 0) return [];
    const drafts: Draft[] = [
      {
        title: `None of the ${context.log.hazards.length} hazards is rated`,
        message:
          'The log gives no severity, likelihood or risk for any hazard. Add the columns, and have the Clinical Safety Officer rate each hazard before and after controls.',
        hazardId: null,
        places: [headingPlace(context.log)],
        found: null,
        expected: null,
      },
    ];
    return underUnread(context, drafts, RATING_WORDS);
  },
};

/** A risk that needs controls and has no complete rating after them. */
export const missingResidual: Rule = {
  name: 'missing-residual',
  level: 'fix',
  clause: '6.1.4',
  find: (context) => {
    const { log } = context;
    const limit = findControlLimit(log);
    const hits = (['residual_severity', 'residual_likelihood', 'residual_risk'] as const).flatMap((column) =>
      blankCells(log, column, limit.needsControls),
    );
    return groupHits(context, hits, {
      one: (hazard) => ({
        title: `${hazard.id}: the residual rating is not complete`,
        message: `${describeInitial(log, hazard)}, so a rating after controls is due; severity, likelihood or risk after controls is blank.`,
      }),
      many: (count, _all, ids) => ({
        title: `The residual rating is not complete in ${count} hazards`,
        message: `These have ${limit.words} and no complete rating after controls: ${ids}.`,
      }),
    }).map(limit.under);
  },
};

const noControls: Rule = {
  name: 'no-controls',
  level: 'check',
  clause: '6.1.1',
  find: (context) => {
    const { log } = context;
    const limit = findControlLimit(log);
    const hits = log.hazards
      .filter((hazard) => limit.needsControls(hazard) && hazard.controls.length === 0)
      .map((hazard) => ({ hazard, row: firstRowOf(hazard), column: 'name' as const }));
    const drafts = groupHits(context, hits, {
      one: (hazard) => ({
        title: `${hazard.id}: no control is named`,
        message: `${describeInitial(log, hazard)} and the row names no control.`,
      }),
      many: (count, _all, ids) => ({
        title: `No control is named for ${count} hazards`,
        message: `These have ${limit.words} and name no control: ${ids}.`,
      }),
    }).map(limit.under);
    return underUnread(context, drafts, CONTROL_WORDS);
  },
};

const noStatusColumn: Rule = {
  name: 'no-status-column',
  level: 'note',
  clause: '6.4.1',
  find: ({ log }) =>
    log.has('status') || log.hazards.length === 0
      ? []
      : [
          {
            title: 'The log has no column for the status of a hazard',
            message:
              'The log does not show whether a hazard is open, accepted or closed. The status of merged hazards is only in the Change log.',
            hazardId: null,
            places: [headingPlace(log)],
            found: null,
            expected: null,
          },
        ],
};

/** Rules that rest on the risk before controls. */
export const controlLimitRules: Rule[] = [missingResidual, noControls];

export const completenessRules: Rule[] = [missingId, ...blankRules, noStatusColumn, noRatings, ...controlLimitRules];
