import type { Query } from '../../../models/contracts/askedQuery.ts';
import { type Answered, type Askable, askable } from '../queries/answerQuery.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { allNouns, nearestOf } from '../queries/nouns.ts';
import { BALANCE, balance, CREDITS, credits } from './credits.ts';
import { DOCUMENTS, documents } from './documents.ts';
import { MEMBERS, members } from './members.ts';
import { QUESTIONS, questions } from './questions.ts';
import { RUNS, runs } from './runs.ts';
import { SCHEDULES, schedules } from './schedules.ts';

/** A kind of row of an account, read from the store for a question that names it. */
type Kind = { nouns: Nouns; read(accountId: number): Promise<Askable> };

/** Makes a kind of row. */
export const kindOfRow = <Row>(nouns: Nouns, read: (accountId: number) => Promise<Entity<Row>>): Kind => ({
  nouns,
  async read(accountId) {
    const entity = await read(accountId);
    return askable(nouns, () => entity);
  },
});

/** What every account has, whichever agents it hires. */
const KINDS: readonly Kind[] = [
  kindOfRow(SCHEDULES, schedules),
  kindOfRow(QUESTIONS, questions),
  kindOfRow(RUNS, runs),
  kindOfRow(DOCUMENTS, documents),
  kindOfRow(MEMBERS, members),
  kindOfRow(CREDITS, credits),
  { nouns: BALANCE, read: balance },
];

/**
 * Reads the kind of row that a question names before all others.
 * @param line the question's words in lower case, joined by spaces, without articles and courtesy
 * @param more the agent's own kinds
 * @returns null where the question names none of them
 */
export async function openAccountRows(
  accountId: number,
  line: string,
  more: readonly Kind[] = [],
): Promise<Askable | null> {
  const kind = nearestOf([...more, ...KINDS], line, ({ nouns }) => allNouns(nouns));
  return kind ? kind.read(accountId) : null;
}

/**
 * Answers a changed query about rows of the account.
 * @param more the agent's own kinds
 * @returns null where no kind of row has it
 */
export async function answerAccountQuery(
  accountId: number,
  query: Query,
  more: readonly Kind[] = [],
): Promise<Answered | null> {
  const kind = [...more, ...KINDS].find(({ nouns }) => nouns.many === query.entity);
  return kind ? (await kind.read(accountId)).answer(query) : null;
}
