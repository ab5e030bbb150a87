import { Account } from '../../../models/account.ts';
import { dayText } from '../../../models/contracts/zonedText.ts';
import { baseUrl } from '../../../models/env.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { MemberRow } from '../../../models/member.ts';
import { answeringOf, rolesThatMay } from '../../../models/policies/actions.ts';
import { hasSigned } from '../../../models/policies/interrupt.ts';
import { hasAnOfficer } from '../accounts/identify.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { unsubscribePage } from '../accounts/unsubscribe.ts';
import type { Mail } from '../mail/mail.ts';
import { creditsLow } from '../mail/mails/creditsLow.ts';
import { planEnds } from '../mail/mails/planEnds.ts';
import { questionDigest } from '../mail/mails/questionDigest.ts';
import { type Occasion, questionWaits, type WaitingQuestion } from '../mail/mails/questionWaits.ts';
import { scheduleFailed } from '../mail/mails/scheduleFailed.ts';
import { kindOf } from '../questions/kinds/index.ts';
import { linkToReview } from './consent.ts';

/** The stored facts of each mail: ids and figures only. The rest is read when the mail is sent. */
export type MailFacts = {
  question: { interruptId: number; occasion: Occasion };
  digest: { interruptIds: number[] };
  /** `end` is ISO 8601. */
  planEnds: { what: 'trial' | 'plan'; isOver: boolean; end: string };
  creditsLow: { remaining: number };
  scheduleFailed: { name: string; failures: number };
};
export type MailName = keyof MailFacts;

type Writer<Name extends MailName> = (facts: MailFacts[Name], to: MemberRow) => Promise<Mail | null>;

const WRITERS: { [Name in MailName]: Writer<Name> } = {
  async question({ interruptId, occasion }, to) {
    const [row] = await readAnswerable([interruptId], to);
    if (!row) return null;
    const question = describe(row, await readTimeZone(to.accountId));
    return questionWaits({ question, occasion, ...(await sharedBy(to)), link: linkToReview(interruptId) });
  },
  async digest({ interruptIds }, to) {
    const rows = await readAnswerable(interruptIds, to);
    if (rows.length === 0) return null;
    const timeZone = await readTimeZone(to.accountId);
    const questions = rows.map((row) => describe(row, timeZone));
    return questionDigest({ questions, ...(await sharedBy(to)), link: `${baseUrl()}/agent-inbox` });
  },
  async planEnds({ what, isOver, end }, to) {
    const timeZone = await readTimeZone(to.accountId);
    const { company } = await sharedBy(to);
    return planEnds({ what, isOver, day: dayText(end, timeZone), company });
  },
  async scheduleFailed(facts, to) {
    return scheduleFailed({ ...facts, company: (await sharedBy(to)).company });
  },
  async creditsLow({ remaining }, to) {
    return creditsLow({ remaining, company: (await sharedBy(to)).company });
  },
};

/** Renders a stored mail for its reader; null if its questions have been answered or are not theirs to answer. */
export const writeMail = <Name extends MailName>(
  name: Name,
  facts: MailFacts[Name],
  to: MemberRow,
): Promise<Mail | null> => (WRITERS[name] as Writer<Name>)(facts, to);

const sharedBy = async ({ accountId, userId }: MemberRow) => ({
  company: (await Account.findById(accountId, { name: 1 }).lean())?.name ?? 'your company',
  unsubscribe: unsubscribePage({ accountId, userId }),
});

/** Those of the questions that are still open and that the member may answer, oldest first. */
async function readAnswerable(ids: readonly number[], to: MemberRow): Promise<InterruptRow[]> {
  const { accountId } = to;
  const rows = await Interrupt.find({ accountId, _id: { $in: [...ids] }, status: 'pending' })
    .sort({ _id: 1 })
    .lean();
  const hasOfficer = await hasAnOfficer(accountId);
  return rows.filter((row) => isAnswerableBy(row, to, hasOfficer));
}

/** Whether one of a member's roles may answer a question, and they have not signed it as the first of two. */
export const isAnswerableBy = (
  row: Pick<InterruptRow, 'requires' | 'firstSignature'>,
  { userId, roles }: Pick<MemberRow, 'userId' | 'roles'>,
  hasOfficer: boolean,
): boolean =>
  !hasSigned(userId, row) && rolesThatMay(answeringOf(row), hasOfficer).some((role) => roles.includes(role));

function describe(row: InterruptRow, timeZone: string): WaitingQuestion {
  const since = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(row.createdAt);
  const asker = row.outside ? `${row.outside.name} (a program)` : row.agentName;
  return { id: row._id, asker, label: kindOf(row.interruptType).label, since };
}
