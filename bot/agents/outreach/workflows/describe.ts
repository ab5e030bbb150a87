import type { ProspectListRow } from '../../../../models/outreach/prospectList.ts';

type Counts = ProspectListRow['counts'];

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The counts of drafts without any name. */
export const summarise = ({ drafts, optedOut, leftOut }: Counts): string =>
  `${counted(drafts, 'draft')}; ${counted(optedOut, 'person', 'people')} who opted out and ${counted(leftOut, 'other row')} got none`;

/** The counts of a review. */
export const summariseDecided = ({ approved, rejected }: Counts): string =>
  `${counted(approved, 'draft')} approved, ${rejected} rejected`;

/** Said with every result. */
export const NOT_SENT =
  'Nothing was sent. Arc does not know whether you may write to these people (PECR, regulation 22; UK GDPR, Article 21) and has not checked the claims of your offer. Check opt-outs again right before you send.';
