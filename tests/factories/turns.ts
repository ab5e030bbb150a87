import { afterEach, beforeEach, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { openConversation } from '../../bot/engine/conversations/conversations.ts';
import { type Channel, registerChannel } from '../../bot/engine/delivery/channel.ts';
import { noteFirstSweep } from '../../bot/engine/turns/order.ts';
import { findAgent } from '../../models/contracts/catalogue.ts';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import type { Address } from '../../models/contracts/turn.ts';
import type { ConversationRow } from '../../models/conversation.ts';
import { Message } from '../../models/message.ts';
import { Run } from '../../models/run.ts';
import { dangerouslyRunInEveryAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { announce } from '../../models/store/revisions.ts';
import { Turn, type TurnRow } from '../../models/turn.ts';
import { UserAgent, type UserAgentRow } from '../../models/userAgent.ts';
import { makeChannel } from '../fakes/channel.ts';
import { connectTestStore, giveTrial, nextNumber } from './account.ts';

/** Nothing is scoped here but by what the code itself asks for. */
export const everywhere = dangerouslyRunInEveryAccount;

/** A channel of Slack that nobody has spoken in. */
export const makePlace = (more: Partial<Address> = {}): Address => ({
  channel: 'slack',
  conversation: `C${nextNumber()}`,
  thread: null,
  ...more,
});

export const openPlace = (accountId: number, address = makePlace(), direct = false): Promise<ConversationRow> =>
  everywhere(() => openConversation(accountId, address, direct));

/** Carries a channel of Slack that says and does nothing but what is given. */
export const connectChannel = (more: Partial<Channel> = {}) => registerChannel(makeChannel(more).channel);

/**
 * For a file of tests: the store, a channel, and before each test a conversation of a new account that may start work.
 * No turns of an earlier life of this process wait.
 */
export function connectTurns(begin: (made: { accountId: number; conversation: ConversationRow }) => void): void {
  connectTestStore();
  beforeEach(async () => {
    connectChannel();
    noteFirstSweep();
    const accountId = nextNumber();
    await giveTrial(accountId);
    begin({ accountId, conversation: await openPlace(accountId) });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
}

/** A file that comes with words, and what is fetched for it: bytes that are no file that Arc reads. */
export const file = { fileId: 'F1', name: 'log.csv' };
export const unreadable = { fileName: 'log.csv', bytes: Buffer.from('\0\0\0') };

/** Something that was said in a conversation and is stored. */
export const makeTurn = (conversation: ConversationRow, more: Partial<TurnRow> = {}): TurnRow => ({
  _id: new Types.ObjectId(),
  accountId: conversation.accountId,
  channel: 'slack',
  address: conversation.address,
  speaker: { userId: nextNumber(), platformId: null, name: 'Ada' },
  text: 'yes',
  manner: 'said',
  files: [],
  eventId: String(nextNumber()),
  status: 'stored',
  attempts: 0,
  dueAt: new Date(),
  conversationId: conversation._id,
  clientId: null,
  createdAt: new Date(),
  ...more,
});

export async function keepTurn(row: TurnRow): Promise<TurnRow> {
  await everywhere(() => Turn.create(row));
  return row;
}
export const readTurn = async ({ _id }: Pick<TurnRow, '_id'>) =>
  requireRow(await everywhere(() => Turn.findById(_id).lean()));

/** Every tool of an agent, switched on. */
export const allTools = (agentId: string) =>
  (findAgent(agentId)?.defaultTools ?? []).map((id) => ({ id, enabled: true }));

/** Hires an agent for an account. @returns its number */
export async function hireFor(
  accountId: number,
  agentId: AgentId,
  status: UserAgentRow['status'] = 'onboarded',
): Promise<number> {
  const _id = nextNumber();
  await everywhere(() => UserAgent.create({ _id, accountId, userId: 1, agentId, status, tools: allTools(agentId) }));
  announce(accountId, ['agents']);
  return _id;
}

/** The run that a turn has started. */
export const runOfTurn = async ({ _id }: Pick<TurnRow, '_id'>) =>
  await everywhere(() => Run.findOne({ startKey: `turn:${_id}` }).lean());

/** What was said in an account, in the order in which it was said. */
export async function readMessages(accountId: number) {
  const rows = await everywhere(() => Message.find({ accountId }).sort({ _id: 1 }).lean());
  return rows.map(({ key, kind, text, card }) => ({ key, kind, text, card }));
}
