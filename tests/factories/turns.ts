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

/** Runs work in every account, for tests whose code enters the account itself. */
export const inEveryAccount = dangerouslyRunInEveryAccount;

/** The address of a new Slack channel. */
export const makePlace = (more: Partial<Address> = {}): Address => ({
  channel: 'slack',
  conversation: `C${nextNumber()}`,
  thread: null,
  ...more,
});

export const openPlace = (accountId: number, address = makePlace(), direct = false): Promise<ConversationRow> =>
  inEveryAccount(() => openConversation(accountId, address, direct));

/** Registers a fake Slack channel, with the given methods. */
export const connectChannel = (more: Partial<Channel> = {}) => registerChannel(makeChannel(more).channel);

/**
 * Sets up a test file: the store, a channel, and before each test a conversation in a new account that may start work.
 * Turns of earlier test files count as swept.
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

/** A file sent with a message, and its fetched bytes, which are in no format that Arc reads. */
export const file = { fileId: 'F1', name: 'log.csv' };
export const unreadable = { fileName: 'log.csv', bytes: Buffer.from('\0\0\0') };

/** A stored message from a person. */
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
  await inEveryAccount(() => Turn.create(row));
  return row;
}
export const readTurn = async ({ _id }: Pick<TurnRow, '_id'>) =>
  requireRow(await inEveryAccount(() => Turn.findById(_id).lean()));

/** Every tool of an agent, switched on. */
export const allTools = (agentId: string) =>
  (findAgent(agentId)?.defaultTools ?? []).map((id) => ({ id, enabled: true }));

/** Hires an agent for an account. @returns its id */
export async function hireFor(
  accountId: number,
  agentId: AgentId,
  status: UserAgentRow['status'] = 'onboarded',
): Promise<number> {
  const _id = nextNumber();
  await inEveryAccount(() =>
    UserAgent.create({ _id, accountId, userId: 1, agentId, status, tools: allTools(agentId) }),
  );
  announce(accountId, ['agents']);
  return _id;
}

/** The run that a turn started. */
export const runOfTurn = async ({ _id }: Pick<TurnRow, '_id'>) =>
  await inEveryAccount(() => Run.findOne({ startKey: `turn:${_id}` }).lean());

/** An account's messages, oldest first. */
export async function readMessages(accountId: number) {
  const rows = await inEveryAccount(() => Message.find({ accountId }).sort({ _id: 1 }).lean());
  return rows.map(({ key, kind, text, card }) => ({ key, kind, text, card }));
}
