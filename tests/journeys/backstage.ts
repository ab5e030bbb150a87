import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Types } from 'mongoose';
import { findAgent } from '../../models/contracts/catalogue.ts';
import { connectStore } from '../../models/store/connect.ts';
import { runInAccount } from '../../models/store/context.ts';
import { startEmbeddedStore } from '../../models/store/embedded/index.ts';
import { changing } from '../../models/store/revisions.ts';
import { publishSignals } from '../../models/store/signals.ts';

export type Backstage = Awaited<ReturnType<typeof openBackstage>>;

/**
 * Changes the data of a running server as time and administrators would: a trial that ends, credits that are used up, a
 * question of a kind that no workflow asks yet. The server is notified as by any other process.
 * @param directory the server's DATA_DIR
 */
export async function openBackstage(directory: string) {
  const store = await startEmbeddedStore({
    directory: join(directory, 'store'),
    workerFile: resolve('dist/workers/store.js'),
  });
  const connected = await connectStore(store.uri, 'arc');
  const stopTelling = publishSignals('backstage');
  const { Subscription } = await import('../../models/subscription.ts');
  const { ledger } = await import('../../models/ledgerEntry.ts');
  const { raiseInterrupt } = await import('../../bot/engine/interrupts/raiseInterrupt.ts');
  const { changeUser } = await import('../../bot/engine/accounts/changeUser.ts');
  const { User } = await import('../../models/user.ts');
  const { Member } = await import('../../models/member.ts');
  const { UserAgent } = await import('../../models/userAgent.ts');
  const { StoredFile } = await import('../../models/file.ts');
  const { Delivery } = await import('../../models/delivery.ts');
  const { arcAddress, openConversation } = await import('../../bot/engine/conversations/conversations.ts');

  return {
    /** Makes the trial of an account end in this many days; a negative number lies in the past. */
    trialEndsIn: (accountId: number, days: number) =>
      runInAccount(accountId, () =>
        changing(accountId, ['account'], () =>
          Subscription.updateOne(
            { accountId },
            { $set: { trialEndsAt: new Date(Date.now() + days * 86_400_000 - 60_000) } },
          ),
        ),
      ),
    /** Uses or grants credits until this many remain. */
    leaveCredits: (accountId: number, remaining: number) =>
      runInAccount(accountId, () =>
        changing(accountId, ['account'], async () => {
          const before = (await ledger.head(accountId))?.balanceAfter ?? 0;
          const amount = remaining - before;
          await ledger.append(accountId, {
            key: `journey:${randomUUID()}`,
            kind: amount < 0 ? 'settle' : 'grant',
            amount,
            note: 'journey',
          });
        }),
      ),
    /** Asks a question in the name of an agent. */
    ask: (
      accountId: number,
      userAgentId: number,
      question: Parameters<typeof raiseInterrupt>[3],
      agentId = 'clinical_safety',
    ) =>
      runInAccount(accountId, async () => {
        const run = { _id: new Types.ObjectId(), accountId, userAgentId, step: 'journey', round: 0 };
        const agent = findAgent(agentId);
        if (!agent) throw new Error(`no agent ${agentId}`);
        const { asked, deliver } = await raiseInterrupt(run as never, null, agent, question);
        await deliver();
        return asked;
      }),
    /** Stores a question in somebody's chat, which the server then delivers as after a crash. */
    askInChat: (
      accountId: number,
      userAgentId: number,
      userId: number,
      question: Parameters<typeof raiseInterrupt>[3],
    ) =>
      runInAccount(accountId, async () => {
        const run = { _id: new Types.ObjectId(), accountId, userAgentId, step: 'journey', round: 0 };
        const conversation = await openConversation(accountId, arcAddress(userId), true);
        const agent = findAgent('clinical_safety');
        if (!agent) throw new Error('no agent');
        const { asked, deliver } = await raiseInterrupt(run as never, conversation, agent, question);
        await deliver();
        const [interruptId, surface] = [asked._id, 'arc-chat'] as const;
        const due = {
          accountId,
          interruptId,
          surface,
          key: `${interruptId}:${surface}`,
          status: 'due',
          dueAt: new Date(),
        };
        await Delivery.create({ ...due, _id: new Types.ObjectId(), messageId: null, conversationId: null } as never);
        return asked;
      }),
    /** A message that could not be delivered, as after the last attempt. */
    failDelivery: (accountId: number, error: string) =>
      runInAccount(accountId, async () => {
        const _id = new Types.ObjectId();
        const row = { accountId, surface: 'slack', key: String(_id), status: 'failed', attempts: 12, error };
        await Delivery.create({ ...row, _id, messageId: new Types.ObjectId() } as never);
      }),
    /** Does the same as `npm run admin -- grant`. */
    makeAdmin: (email: string) => changeUser(email, { isAdmin: true }),
    /** Creates users with a company each, as many as a deployment has after some years; every fifth has an agent. */
    async fillUsers(howMany: number, first = 1_000_000): Promise<void> {
      const numbers = Array.from({ length: howMany }, (_, at) => first + at);
      await User.insertMany(
        numbers.map((_id) => ({
          _id,
          email: `person-${String(_id - 1_000_000).padStart(4, '0')}@filled.test`,
          firstName: 'Pat',
          lastName: `Number${_id - 1_000_000}`,
          createdAt: new Date(Date.UTC(2025, 0, 1) + (_id - 1_000_000) * 3_600_000),
        })),
      );
      await Member.insertMany(numbers.map((_id) => ({ accountId: _id, userId: _id, roles: ['owner'] })));
      for (const _id of numbers.filter((number) => number % 5 === 0)) {
        await runInAccount(_id, () =>
          UserAgent.create({ _id, accountId: _id, userId: _id, agentId: 'mdr', status: 'hired', tools: [] }),
        );
      }
    },
    /** Makes every stored file of an account expire. */
    expireFiles: (accountId: number) =>
      runInAccount(accountId, () => StoredFile.updateMany({ accountId }, { $set: { expiresAt: new Date(0) } })),
    async close(): Promise<void> {
      await stopTelling();
      await connected.close();
      await store.close();
    },
  };
}
