import { Types } from 'mongoose';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { Thread } from '../../../models/contracts/threads.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { Run } from '../../../models/run.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Turn } from '../../../models/turn.ts';
import { arcAddress, conversationKey, openConversation } from './conversations.ts';

type Person = Pick<Who, 'accountId' | 'userId'>;

const UNTITLED = 'New conversation';

/** A person's conversations in arc-chat, deleted ones left out. */
const ofPerson = ({ accountId, userId }: Person) => ({
  accountId,
  'address.channel': arcAddress(userId).channel,
  'address.conversation': arcAddress(userId).conversation,
  deletedAt: null,
});

/** The first conversation of a person's arc-chat, which keeps which one is open. */
const openFirst = ({ accountId, userId }: Person) => openConversation(accountId, arcAddress(userId));

/**
 * The conversation that is open in a person's arc-chat: what is said without naming one belongs to it. After the open
 * one was deleted it is the one with the newest message, or a new one.
 */
export async function openChat(person: Person): Promise<ConversationRow> {
  const { accountId, userId } = person;
  const first = await openFirst(person);
  const open = first.openThreadId ? await Conversation.findOne({ _id: first.openThreadId, accountId }).lean() : first;
  if (open && !open.deletedAt) return open;
  const [newest] = await readThreads(person);
  const next = newest?.row ?? (await insertThread(accountId, userId, open?.userAgentId ?? null));
  await setOpen(person, first, next);
  return next;
}

/**
 * A conversation of a person's arc-chat by its id, or the open one where none is named.
 * @throws AppError not_found
 */
export async function requireThread(person: Person, id?: string): Promise<ConversationRow> {
  if (id === undefined) return openChat(person);
  const found = await Conversation.findOne({ _id: new Types.ObjectId(id), ...ofPerson(person) }).lean();
  if (!found) throw new AppError('not_found');
  return found;
}

const setOpen = (person: Person, first: ConversationRow, thread: ConversationRow) =>
  changing(person.accountId, ['chat'], () =>
    Conversation.updateOne(
      { _id: first._id, accountId: person.accountId },
      { $set: { openThreadId: String(thread._id) === String(first._id) ? null : thread._id } },
    ),
  );

/** Opens a conversation of the person. @throws AppError not_found */
export async function openThread(person: Person, id: string): Promise<Thread> {
  const thread = await requireThread(person, id);
  await setOpen(person, await openFirst(person), thread);
  return viewThread(person, thread, { open: thread });
}

/**
 * Begins a conversation without files and opens it. It is with the agent of the one that was open. An open conversation
 * in which nothing was said is kept, so that pressing twice begins one.
 * @throws AppError too_many_threads where the person keeps as many as there may be
 */
export async function startThread(person: Person): Promise<Thread> {
  const open = await openChat(person);
  const { accountId, userId } = person;
  if (!(await Message.exists({ accountId, conversationId: open._id }))) {
    return viewThread(person, open, { open });
  }
  if ((await Conversation.countDocuments(ofPerson(person))) >= LIMITS.threads.count) {
    throw new AppError('too_many_threads', { count: LIMITS.threads.count });
  }
  const thread = await insertThread(accountId, userId, open.userAgentId);
  await setOpen(person, await openFirst(person), thread);
  return viewThread(person, thread, { open: thread });
}

async function insertThread(accountId: number, userId: number, userAgentId: number | null): Promise<ConversationRow> {
  const _id = new Types.ObjectId();
  const address = { ...arcAddress(userId), thread: String(_id) };
  const row: ConversationRow = {
    _id,
    accountId,
    key: conversationKey(address),
    address,
    placeId: null,
    direct: false,
    userAgentId,
    files: {},
    createdAt: new Date(),
  };
  await insertRow(Conversation, row);
  return row;
}

/** Gives a conversation a title. @throws AppError not_found */
export async function renameThread(person: Person, id: string, title: string): Promise<void> {
  const { _id } = await requireThread(person, id);
  await changing(person.accountId, ['chat'], () =>
    Conversation.updateOne({ _id, accountId: person.accountId }, { $set: { title } }),
  );
}

/**
 * Deletes the messages of a conversation. Files and analyses stay, and so does its row, which runs name. Messages go
 * first: after a crash the conversation is still listed and can be deleted again.
 * @throws AppError not_found, thread_at_work while something said in it is being done or waits for an answer
 */
export async function deleteThread(person: Person, id: string): Promise<void> {
  const { accountId } = person;
  const { _id: conversationId } = await requireThread(person, id);
  if ((await readState(accountId, conversationId)) !== 'quiet') throw new AppError('thread_at_work');
  await changing(accountId, ['chat'], async () => {
    await Message.deleteMany({ accountId, conversationId });
    await Turn.deleteMany({ accountId, conversationId });
    await Conversation.updateOne({ _id: conversationId, accountId }, { $set: { deletedAt: new Date(), files: {} } });
  });
}

type Listed = { row: ConversationRow; lastAt: Date | null };

/** The person's conversations, the one with the newest message first. */
async function readThreads(person: Person): Promise<Listed[]> {
  const rows = await Conversation.find(ofPerson(person)).limit(LIMITS.threads.count).lean();
  const listed = await Promise.all(
    rows.map(async (row) => {
      const of = { accountId: person.accountId, conversationId: row._id };
      const last = await Message.findOne(of, { createdAt: 1 }).sort({ _id: -1 }).lean();
      return { row, lastAt: last?.createdAt ?? null };
    }),
  );
  const moment = ({ row, lastAt }: Listed) => (lastAt ?? row.createdAt).getTime();
  return listed.sort((one, other) => moment(other) - moment(one));
}

/**
 * Lists the person's conversations, the one with the newest message first. An empty one is listed only while it is open.
 * @param search words that the title or a message has to contain; all without it
 */
export async function listThreads(person: Person, search: string): Promise<Thread[]> {
  const [open, listed] = await Promise.all([openChat(person), readThreads(person)]);
  const said = listed.filter(({ row, lastAt }) => lastAt !== null || String(row._id) === String(open._id));
  const threads = await Promise.all(said.map(({ row, lastAt }) => viewThread(person, row, { open, lastAt })));
  if (search === '') return threads;
  const found = await Message.distinct('conversationId', {
    accountId: person.accountId,
    conversationId: { $in: said.map(({ row }) => row._id) },
    text: { $regex: search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' },
  });
  const ids = new Set(found.map(String));
  const words = search.toLowerCase();
  return threads.filter(({ id, title }) => ids.has(id) || title.toLowerCase().includes(words));
}

/**
 * A conversation as it is listed.
 * @param known `open`, the conversation that is open, and `lastAt`, the time of its newest message, where they are known
 */
export async function viewThread(
  person: Person,
  row: ConversationRow,
  known: { open?: ConversationRow; lastAt?: Date | null } = {},
): Promise<Thread> {
  const { accountId } = person;
  const { lastAt } = known;
  const open = known.open ?? (await openChat(person));
  const of = { accountId, conversationId: row._id };
  const [first, last, state] = await Promise.all([
    row.title
      ? null
      : Message.findOne({ ...of, messageType: 'user' }, { text: 1 })
          .sort({ _id: 1 })
          .lean(),
    lastAt === undefined ? Message.findOne(of, { createdAt: 1 }).sort({ _id: -1 }).lean() : { createdAt: lastAt },
    readState(accountId, row._id),
  ]);
  return {
    id: String(row._id),
    title: row.title ?? titleFrom(first?.text),
    lastMessageAt: last?.createdAt?.toISOString() ?? null,
    isOpen: String(row._id) === String(open._id),
    state,
  };
}

/** Whether something said in a conversation is being done, or waits for an answer. */
async function readState(accountId: number, conversationId: Types.ObjectId): Promise<Thread['state']> {
  const [runs, turn] = await Promise.all([
    Run.distinct('status', { accountId, conversationId, status: { $in: ['ready', 'waiting'] } }),
    Turn.exists({ accountId, conversationId, status: 'stored' }),
  ]);
  if (turn || runs.includes('ready')) return 'working';
  return runs.length > 0 ? 'waiting' : 'quiet';
}

/** The first line of a message, cut between words. */
function titleFrom(text: string | undefined): string {
  const line = text?.trim().split('\n')[0]?.trim() ?? '';
  if (line.length <= LIMITS.threads.title) return line || UNTITLED;
  const cut = line.slice(0, LIMITS.threads.title - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LIMITS.threads.title / 2)).trimEnd()}…`;
}
