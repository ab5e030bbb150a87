import type { FoundRow } from '../../../models/contracts/desk.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { readHiredAgents } from '../accounts/hiredAgents.ts';
import { registeredAgent } from '../agents/registry.ts';
import { bestRows, wordsOf } from './wordsIn.ts';

/** Number of newest questions that are searched. */
const MAX_QUESTIONS = 500;

const STATES: Record<InterruptRow['status'], string> = {
  pending: 'Waiting for an answer',
  resolved: 'Answered',
  cancelled: 'Withdrawn',
};

type Listed = Pick<InterruptRow, '_id' | 'prompt' | 'agentName' | 'status'>;

/** The newest questions, and older ones whose number was typed. */
async function listQuestions(accountId: number, words: readonly string[]): Promise<Listed[]> {
  const fields = { prompt: 1, agentName: 1, status: 1 } as const;
  const numbers = words.map(Number).filter((number) => Number.isSafeInteger(number) && number > 0);
  const [newest, numbered] = await Promise.all([
    Interrupt.find({ accountId }, fields).sort({ _id: -1 }).limit(MAX_QUESTIONS).lean(),
    numbers.length > 0 ? Interrupt.find({ accountId, _id: { $in: numbers } }, fields).lean() : [],
  ]);
  const listed = new Set(newest.map(({ _id }) => _id));
  return [...newest, ...numbered.filter(({ _id }) => !listed.has(_id))];
}

/** Questions of the account whose text, agent or number contains every word, the newest first. */
async function findQuestions(accountId: number, words: readonly string[]): Promise<FoundRow[]> {
  const rows = await listQuestions(accountId, words);
  return bestRows(rows, words, ['question', 'questions'], LIMITS.search.ofKind, ({ _id, prompt, agentName }) => [
    String(_id),
    prompt,
    agentName,
  ]).map(({ _id, prompt, agentName, status }) => ({
    kind: 'Question',
    id: String(_id),
    title: prompt,
    note: `${agentName}, ${STATES[status].toLowerCase()}`,
    path: `/agent-inbox?interrupt=${_id}`,
  }));
}

/**
 * Everything of the caller's account that contains every word: what each hired agent declares as searchable, then
 * questions. At most `LIMITS.search.ofKind` of a kind.
 */
export async function search(who: Who, text: string): Promise<FoundRow[]> {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const hired = await readHiredAgents(who.accountId);
  const found = await Promise.all([
    ...hired.map(async (agent) => (await registeredAgent(agent.agentId).find?.(who, agent, words)) ?? []),
    findQuestions(who.accountId, words),
  ]);
  return found.flat();
}
