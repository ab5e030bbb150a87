import type { Feedback } from '../../../models/contracts/chat.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Member } from '../../../models/member.ts';
import { Message } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { User } from '../../../models/user.ts';

/** An answer that a person judged, with what was said before it. */
type Judged = Feedback & { at: Date; asked: string | null; answered: string; agentId: string | null };

/**
 * The judged answers in a person's companies, the latest judgement first: what to look at, and to label, before an
 * agent is changed.
 * @throws AppError not_found where no user has the e-mail
 */
export async function listFeedback(email: string): Promise<Judged[]> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }, { _id: 1 }).lean();
  if (!user) throw new AppError('not_found');
  const accounts = await Member.find({ userId: user._id }, { accountId: 1 }).lean();
  const judged = await Promise.all(accounts.map(({ accountId }) => runInAccount(accountId, () => listOf(accountId))));
  return judged.flat().sort((one, other) => other.at.getTime() - one.at.getTime());
}

async function listOf(accountId: number): Promise<Judged[]> {
  const answers = await Message.find({ accountId, feedback: { $ne: null } }).lean();
  return Promise.all(
    answers.map(async ({ _id, conversationId, text, feedback, agentId }) => {
      const before = { accountId, conversationId, messageType: 'user', _id: { $lt: _id } } as const;
      const asked = await Message.findOne(before).sort({ _id: -1 }).lean();
      return { ...(feedback as NonNullable<typeof feedback>), asked: asked?.text ?? null, answered: text, agentId };
    }),
  );
}
