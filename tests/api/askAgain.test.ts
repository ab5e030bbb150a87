import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AskedQuery, Query } from '../../models/contracts/askedQuery.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { eventually, messageOfKind, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let person: Person;
beforeAll(async () => {
  server = await startServer();
  person = await signUpReady(server);
  await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
  const { browser } = person;
  await eventually(async () => (await browser.get('/api/arc-chat/history')).body.ready.log, 'the sample');
  await browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log', sessionId: 'chat_1' });
  // The review is asked for after the result. Said later, it would stand where a test looks for its answer.
  await messageOfKind(person, 'review-requested', 30_000);
}, 60_000);
afterAll(() => server.stop());

const again = ({ browser }: Person, query: Query, agentId = 'clinical_safety') =>
  browser.post('/api/arc-chat/ask-again').send({ agentId, query });
const usedBy = async ({ browser }: Person): Promise<number> =>
  (await browser.get('/api/user/tokens/balance')).body.balance.tokensUsed;

/** Asks in words; gives the query of the answer. */
async function askInWords(message: string): Promise<{ text: string; asked: AskedQuery }> {
  await person.browser.post('/api/arc-chat/send').send({ message, sessionId: 'chat_1' });
  const answer = await eventually<ChatMessage>(async () => {
    const { messages } = (await person.browser.get('/api/arc-chat/history')).body as { messages: ChatMessage[] };
    const at = messages.findIndex((one) => one.messageType === 'user' && one.message === message);
    return at > 0 ? messages[at - 1] : null;
  }, 'an answer');
  if (!answer.card?.asked) throw new Error(`No query is with the answer: ${answer.message}`);
  return { text: answer.message, asked: answer.card.asked };
}

describe('the query of an answer', () => {
  /** @shows POST /api/arc-chat/ask-again */
  test('is shown as chips, and without words gives the same answer and its rows, free of charge', async () => {
    const { text, asked } = await askInWords('Which open hazards have a residual risk above 2?');
    expect(asked).toMatchObject({ noun: 'hazards', joins: 'and', hasTable: true });
    expect(asked.chips).toEqual([
      {
        field: 'status',
        label: 'have the status “Open”',
        part: 0,
        change: {
          ...{ before: 'have the status', after: '', operators: [], value: 'Open' },
          options: expect.arrayContaining(['Open', 'Closed']),
        },
      },
      {
        field: 'residualRisk',
        label: 'have a recorded residual risk above 2',
        part: 1,
        change: {
          ...{ before: 'have a recorded residual risk', after: '', operator: '>', value: 2, options: [] },
          operators: expect.arrayContaining([{ operator: '<=', words: 'at most' }]),
        },
      },
    ]);
    const before = await usedBy(person);
    const { body } = await again(person, asked.query).expect(200);
    expect(body.text).toBe(text);
    expect(body.asked).toEqual(asked);
    expect(body.rows).toEqual(['QM-02 6', 'QM-03 7', 'QM-14 18', 'QM-17 21']);
    expect(body.beginnings).toContainEqual({
      ...{ field: 'status', noun: 'status' },
      condition: { field: 'status', is: [expect.any(String)] },
    });
    expect(await usedBy(person)).toBe(before);
  });

  test('is what the next message goes on from', async () => {
    await askInWords('Which open hazards have a residual risk above 2?');
    const { text, asked } = await askInWords('only those with no evidence');
    expect(asked.chips.map(({ label }) => label)).toEqual([
      'have the status “Open”',
      'have a recorded residual risk above 2',
      'have no evidence for any control',
    ]);
    expect((await again(person, asked.query).expect(200)).body.text).toBe(text);
    // A question of its own that names no rows says that it may have been meant for those.
    const { text: ofAll } = await askInWords('by owner?');
    expect(ofAll).toContain('This is about all hazards. For the hazards of my last answer, begin with “of those”.');
  });

  test('with another number gives other rows', async () => {
    const { asked } = await askInWords('hazards with a residual risk above 2');
    const { where } = asked.query;
    const query = { ...asked.query, where: { ...where, value: 3 } } as Query;
    const { body } = await again(person, query).expect(200);
    expect(body).toMatchObject({ rows: [], text: '0 hazards of 25 have a recorded residual risk above 3.' });
  });

  test('over rows of the account is answered too', async () => {
    const { asked } = await askInWords('Which runs are completed?');
    expect(asked).toMatchObject({ noun: 'runs', hasTable: false });
    expect((await again(person, asked.query).expect(200)).body.text).toMatch(/^\d+ runs of \d+ are completed/);
  });

  test('lists the rows that no result has a table of, with their values', async () => {
    const { asked } = await askInWords('Which runs are completed?');
    const { listed } = (await again(person, asked.query).expect(200)).body;
    expect(listed.columns[0]).toBe('Run');
    expect(listed.columns.length).toBeGreaterThan(1);
    expect(listed.rows).toHaveLength(listed.count);
    expect(listed.rows.every((cells: string[]) => cells.length === listed.columns.length)).toBe(true);
    const { body } = await again(person, { entity: 'hazards', where: null, onlyCount: false }).expect(200);
    expect(body.listed).toBeNull();
  });

  test('is refused with a field, a comparison or a kind of row that is not there', async () => {
    const query = { entity: 'hazards', where: null, onlyCount: false };
    const ask = (more: object) => again(person, { ...query, ...more } as Query);
    await ask({ where: { field: 'constructor', has: true } }).expect(404);
    await ask({ where: { field: 'status', operator: '>', value: 2 } }).expect(404);
    await ask({ sort: { field: 'owner', highestFirst: true } }).expect(404);
    await ask({ entity: 'passwords' }).expect(404);
    await ask({ where: { $where: 'x' } }).expect(400);
    await ask({ limit: 0 }).expect(400);
    await ask({}).expect(200);
  });

  test('has conditions to join, and at most sixty', async () => {
    const query: Query = { entity: 'hazards', where: null, onlyCount: true };
    const ask = (where: object) => again(person, { ...query, where } as Query);
    await ask({ all: [] }).expect(400);
    await ask({ not: { any: [] } }).expect(400);
    const has = { field: 'owner', has: true };
    const sixty = { all: [...Array(4).fill({ any: Array(12).fill(has) }), { any: Array(6).fill(has) }] };
    await ask(sixty).expect(200);
    const { body } = await ask({ not: sixty }).expect(400);
    expect(body.fields).toEqual({ 'query.where': 'Use at most 60 conditions.' });
  });

  test('of another company reads that company’s rows alone, and of an agent without rows none', async () => {
    const other = await signUpReady(server);
    const query: Query = { entity: 'hazards', where: null, onlyCount: false };
    await again(other, query).expect(404);
    // Naming the result of the first answer does not open another company's.
    const of = (await askInWords('Which open hazards have a residual risk above 2?')).asked.of;
    const asking = (by: Person) =>
      by.browser.post('/api/arc-chat/ask-again').send({ agentId: 'clinical_safety', query, of });
    await asking(person).expect(200);
    await asking(other).expect(404);
    await again(person, query).send({ agentId: 'clinical_safety', query, of: 987_654_321 }).expect(404);
    await again(person, query, 'ops').expect(404);
  });
});
