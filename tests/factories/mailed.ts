import { Account } from '../../models/account.ts';
import type { Preferences, QuestionMail } from '../../models/contracts/preferences.ts';
import { Delivery } from '../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import { Member, type Role } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { smtp } from '../environments/mail.ts';
import { makeInterrupt } from './interrupt.ts';
import { addUser, join } from './members.ts';
import { eventually } from './person.ts';
import { nextNumber } from './who.ts';

type Times = Partial<Pick<Preferences, 'quietHours' | 'workingHours' | 'timeZone'>>;

/** A company whose members get mails, and its outbox. */
export async function makeMailedCompany(times: Times = {}) {
  const accountId = nextNumber();
  await Account.create({ _id: accountId, name: 'Quillmere', ...times });
  const rows = () =>
    runInAccount(accountId, () => Delivery.find({ accountId, surface: 'mail' }).sort({ _id: 1 }).lean());
  return {
    accountId,
    async member(roles: Role[], questionMail?: QuestionMail, user: Parameters<typeof addUser>[0] = {}) {
      const added = await addUser(user);
      await join(added, accountId, roles, questionMail ? { questionMail } : {});
      return { userId: added._id, email: added.email };
    },
    async question(change: Partial<InterruptRow> = {}): Promise<InterruptRow> {
      const row = makeInterrupt({ _id: nextNumber(), accountId, askKey: String(nextNumber()), ...change });
      await runInAccount(accountId, () => Interrupt.create(row));
      return row;
    },
    /** Answers a question without its consequences. */
    settle: ({ _id }: InterruptRow) =>
      runInAccount(accountId, () => Interrupt.updateOne({ _id }, { $set: { status: 'resolved' } })),
    choose: (userId: number, questionMail: QuestionMail) =>
      Member.updateOne({ accountId, userId }, { $set: { questionMail } }),
    /** The mails in the outbox. */
    rows,
    /** Makes every stored mail due. */
    makeDue: () => runInAccount(accountId, () => Delivery.updateMany({ accountId }, { $set: { dueAt: new Date(0) } })),
    /** Waits until nothing is being sent. */
    sent: () => eventually(async () => (await rows()).every(({ status }) => status !== 'due'), 'the mails to be sent'),
  };
}

/** The subjects of the mails that an address got, in order. */
export const subjectsTo = (email: string): string[] =>
  smtp.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
