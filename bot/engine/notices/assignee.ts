import type { InterruptRow } from '../../../models/interrupt.ts';
import type { MemberRow } from '../../../models/member.ts';
import { isAnswerableBy } from '../delivery/mails.ts';

/**
 * The member to whom a question is assigned; undefined where it is assigned to nobody, or to somebody who left or may no
 * longer answer it: it is then everybody's.
 */
export const assigneeOf = (
  row: Pick<InterruptRow, 'assignee' | 'requires' | 'firstSignature'>,
  members: readonly MemberRow[],
  hasOfficer: boolean,
): MemberRow | undefined =>
  members.find((member) => member.userId === row.assignee?.userId && isAnswerableBy(row, member, hasOfficer));
