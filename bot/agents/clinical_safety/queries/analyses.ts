import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import { readNewest } from '../../../engine/accountRows/newest.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import type { Entity, Nouns } from '../../../engine/queries/entity.ts';
import { eventField, stateField } from '../../../engine/queries/flagField.ts';
import { namedField } from '../../../engine/queries/namedField.ts';

type Row = Pick<HazardAnalysisRow, '_id' | 'status' | 'logFileName' | 'headline' | 'createdAt'>;

const STATUS_TEXTS: Partial<Record<Row['status'], string>> = {
  'in-review': 'in review',
  'none-accepted': 'nothing accepted',
};

export const ANALYSES: Nouns = {
  one: 'analysis',
  many: 'analyses',
  names: [
    'previous analysis',
    'previous analyses',
    'past analysis',
    'past analyses',
    'earlier analysis',
    'earlier analyses',
    'hazard analysis',
    'hazard analyses',
    'old analyses',
    'log analyses',
    'analysis history',
    'analysis runs',
  ],
};

/** The analyses of an account. */
export async function analyses(accountId: number): Promise<Entity<Row>> {
  const { rows, remark } = await readNewest<Row>(
    (limit) =>
      HazardAnalysis.find({ accountId }, { status: 1, logFileName: 1, headline: 1, createdAt: 1 })
        .sort({ _id: -1 })
        .limit(limit)
        .lean(),
    () => HazardAnalysis.countDocuments({ accountId }),
    ANALYSES.many,
  );
  const timeZone = await readTimeZone(accountId);
  const is = (wanted: Row['status']) => (row: Row) => row.status === wanted;
  return {
    id: 'analyses',
    ...ANALYSES,
    rows,
    remark,
    fields: [
      stateField('running', 'running, in progress, going on, under way, ongoing, active', is('running')),
      stateField('in review', 'in review, waiting, waiting for review, being reviewed', is('in-review')),
      stateField('complete', 'complete, without proposals', is('complete')),
      eventField(
        'reviewed',
        'reviewed',
        ({ status }) => status === 'reviewed' || status === 'none-accepted' || status === 'merged',
      ),
      eventField('merged', 'merged', is('merged')),
      stateField('failed', 'failed, went wrong, crashed, broken, unsuccessful', is('failed')),
      eventField('cancelled', 'cancelled, canceled, stopped', is('cancelled')),
      namedField(
        { id: 'log', names: ['log', 'file', 'logs', 'files'], noun: 'log', before: ['of', 'for'] },
        ({ logFileName }) => logFileName,
      ),
    ],
    outside: ({ logFileName }) => [logFileName],
    line: ({ logFileName, status, headline, createdAt }) =>
      `${logFileName}, ${dayText(createdAt, timeZone)}, ${STATUS_TEXTS[status] ?? status}${headline ? `: ${headline}` : ''}`,
  };
}
