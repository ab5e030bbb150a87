import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../../../models/contracts/chat.ts';
import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { makeWideLog } from '../../../factories/hazardLog.ts';
import { type Browser, makeBrowser, makeReady } from '../../../factories/httpPerson.ts';
import { openLog } from '../../../factories/openLog.ts';
import { eventually } from '../../../factories/person.ts';
import { type ServerProcess, startProcess } from '../../../factories/process.ts';
import { ALLERGY, DOSE } from '../../../factories/tickets.ts';
import { type Asked, type Behaviour, USAGE } from '../../../fakes/model/behaviour.ts';
import { startModelServer } from '../../../fakes/model/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-choosing-'));
const MODEL = 'openai-compatible:small-model';
const FAILED = 'Allergy panel shows none known although the allergy service failed';
/** Two calls: one ticket more than a call has. */
const COUNT = LIMITS.choosing.itemsPerCall + 1;
const PAID = USAGE.input + USAGE.output;

let model: Awaited<ReturnType<typeof startModelServer>>;
let server: ServerProcess;
let environment: Record<string, string>;
let behave: (asked: Asked) => Behaviour | Promise<Behaviour>;

type Item = { item: number; texts: string[]; candidates: { id: string; texts: string[] }[] };
const itemsOf = ({ messages }: Asked): Item[] =>
  JSON.parse(messages[0]?.content.replace(/^<data>\n|\n<\/data>$/g, '') ?? '[]');
type Chosen = { candidate: string | null; quote?: string; candidateQuote?: string };
/** A model that chooses by a rule; its quotations are right unless the rule gives others. */
const chooses =
  (rule: (item: Item, at: number) => Chosen) =>
  (asked: Asked): Behaviour => ({
    calls: [
      {
        name: 'choose',
        input: {
          choices: itemsOf(asked).map((item, at) => {
            const { candidate, ...quotes } = rule(item, at);
            const chosen = item.candidates.find(({ id }) => id === candidate);
            return {
              item: item.item,
              candidate,
              quote: item.texts[0],
              candidateQuote: chosen?.texts[0] ?? '',
              ...quotes,
            };
          }),
        },
      },
    ],
  });
const second = chooses(() => ({ candidate: 'HAZ02' }));

let companies = 0;
async function join_(): Promise<{ browser: Browser; word: string }> {
  companies += 1;
  const word = `zebra${companies}`;
  const browser = makeBrowser(() => server.url);
  await makeReady(browser, `${word}@example.org`);
  return { browser, word };
}
async function upload(browser: Browser, word: string, count = COUNT, more = '', log?: string): Promise<void> {
  const tickets = Array.from({ length: count }, (_, at) => `EPS-${at + 1},${FAILED} on ward ${at} of ${word},${more}`);
  const files: [name: string, bytes: Uint8Array][] = [
    ['tickets.csv', Buffer.from(['Key,Summary,Description', ...tickets].join('\n'))],
    log ? ['log.csv', Buffer.from(log)] : ['log.xlsx', makeWideLog([ALLERGY, DOSE])],
  ];
  for (const [name, bytes] of files) {
    const form = new FormData();
    form.append('hazardLogFile', new Blob([new Uint8Array(bytes)]), name);
    await browser.post('/api/arc-chat/upload-hazard-log', form);
  }
}
const messagesOf = async (browser: Browser): Promise<ChatMessage[]> =>
  (await browser.get('/api/arc-chat/history?limit=200')).messages;
const start = (browser: Browser) => browser.post('/api/arc-chat/send', { message: 'Analyse my hazard log' });
const used = async (browser: Browser): Promise<number> =>
  (await browser.get('/api/user/tokens/balance')).balance.tokensUsed;
const askedFor = (word: string) => model.asked.filter(({ messages }) => messages[0]?.content.includes(`of ${word}"`));

/** Waits until so many analyses are complete. */
async function complete(browser: Browser, times = 1) {
  const of = async (kind: string) => (await messagesOf(browser)).filter((message) => message.kind === kind);
  await eventually(async () => (await of('analysis-complete')).length >= times, `${times} complete`, 60_000);
  const { user } = await browser.get('/api/auth/status');
  const latest: HazardAnalysis = await browser.get(`/api/hazard-analysis/latest/${user.id}`);
  const tickets: TicketVerdict[] = await browser.get(`/api/hazard-analysis/${latest.id}/tickets`);
  const text = (await of('analysis-complete')).map(({ message }) => message)[0] ?? '';
  return { tickets, text, metadata: requireRow(latest.analysisMetadata) };
}
async function analyse(browser: Browser, times = 1) {
  await start(browser);
  return complete(browser, times);
}
const offer = (browser: Browser) =>
  eventually(
    async () => (await messagesOf(browser)).map(({ message }) => message).find((text) => text.startsWith('I’ll ask')),
    'the cost to be said',
  );

beforeAll(async () => {
  model = await startModelServer((asked) => behave(asked));
  ({ environment } = model);
  server = await startProcess(directory, environment);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await model.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  behave = second;
});

test('a model chooses for each ticket: it orders what is asked and covers nothing; the second analysis asks nothing', async () => {
  const { browser, word } = await join_();
  await upload(browser, word);
  const { text, tickets, metadata } = await analyse(browser);
  expect(askedFor(word).map((one) => itemsOf(one).length)).toEqual([COUNT - 1, 1]);
  expect(await offer(browser)).toMatch(
    /^I’ll ask openai-compatible:small-model which of the nearest hazards 9 tickets are about, in 2 calls, for about [\d,]+ credits\. It only orders/,
  );
  expect(tickets.map(({ possible, coveredBy, hazardIds }) => [possible?.[0]?.hazardId, coveredBy, hazardIds])).toEqual(
    tickets.map(() => ['HAZ02', null, []]),
  );
  expect(tickets[0]?.choice).toMatchObject({ hazardId: 'HAZ02', hazardQuote: DOSE.name, model: MODEL });
  expect(metadata).toMatchObject({
    modelUsed: MODEL,
    modelChoices: { tickets: COUNT, chosen: COUNT, none: 0, dropped: 0, notAsked: 0, known: 0, tokens: 2 * PAID },
    coverage: { covered: 0, possible: COUNT },
  });
  expect(text).toContain(`Of 9 tickets with possible matches, ${MODEL} chose a hazard for 9`);

  const again = await analyse(browser, 2);
  expect(askedFor(word)).toHaveLength(2);
  expect(again.metadata.modelChoices).toMatchObject({ chosen: COUNT, known: COUNT, tokens: 0 });
  expect(again.tickets).toEqual(tickets);
  expect(again.text).toContain('9 tickets were answered in an earlier analysis and cost nothing.');
  // The first run is over by now, and pays for its calls; the second has reserved no more than every analysis does.
  expect(await used(browser)).toBe(2 * PAID + LIMITS.credits.step * (3 + 4));

  // Another company with the same files pays for its own calls.
  const other = await join_();
  await upload(other.browser, word);
  await analyse(other.browser);
  expect(askedFor(word)).toHaveLength(4);
}, 120_000);

test('answers that do not pass the check are dropped, and none is a note', async () => {
  const { browser, word } = await join_();
  await upload(browser, word, 5);
  const rules: Chosen[] = [
    { candidate: 'HAZ99' },
    { candidate: 'HAZ02', quote: 'Allergy panel shows peanuts' },
    { candidate: 'HAZ02', candidateQuote: 'Dose is shown rightly' },
    { candidate: null },
    { candidate: 'HAZ02' },
  ];
  const ruleOf = ({ texts }: Item) => rules[Number(/ward (\d)/.exec(texts[0] ?? '')?.[1])] as Chosen;
  behave = chooses(ruleOf);
  const { tickets, metadata } = await analyse(browser);
  const shown = [...tickets].sort((a, b) => a.key.localeCompare(b.key));
  expect(shown.map(({ choice, possible }) => [choice?.hazardId, possible?.[0]?.hazardId])).toEqual([
    [undefined, 'HAZ01'],
    [undefined, 'HAZ01'],
    [undefined, 'HAZ01'],
    [null, 'HAZ01'],
    ['HAZ02', 'HAZ02'],
  ]);
  expect(metadata.modelChoices).toMatchObject({ chosen: 1, none: 1, dropped: 3, notAsked: 0 });
}, 60_000);

test.each<[string, Behaviour]>([
  ['fails', { status: 500 }],
  ['asks to wait for long', { status: 429, headers: { 'retry-after': '60' } }],
  ['closes the connection', { text: 'one two three four five', cutAfter: 1 }],
  ['sends junk', { junk: 'hello' }],
])(
  'a model that %s leaves the built-in order, and the analysis says so',
  async (_what, it) => {
    const { browser, word } = await join_();
    await upload(browser, word, 2);
    behave = () => it;
    const { tickets, text, metadata } = await analyse(browser);
    expect(tickets.map(({ choice, possible }) => [choice, possible?.[0]?.hazardId])).toEqual([
      [undefined, 'HAZ01'],
      [undefined, 'HAZ01'],
    ]);
    expect(metadata).toMatchObject({ modelUsed: false, modelChoices: { chosen: 0, notAsked: 2, tokens: 0 } });
    expect(text).toContain('2 tickets got no answer; there the built-in order stands.');
  },
  60_000,
);

test('what the credits do not cover is not asked, which is said, and the next analysis goes on with it', async () => {
  const { browser, word } = await join_();
  // The log names EPS-77, which would be covered.
  const many = 76;
  await upload(browser, word, many, `${FAILED}. `.repeat(40));
  const { metadata, text } = await analyse(browser);
  const asked = askedFor(word).flatMap((one) => itemsOf(one)).length;
  expect(asked).toBeGreaterThan(0);
  expect(metadata.modelChoices).toMatchObject({ tickets: many, chosen: asked, notAsked: many - asked });
  expect(many - asked).toBeGreaterThan(0);
  expect(text).toContain(`${many - asked} tickets got no answer`);
  const estimate = Number(/about ([\d,]+) credits/.exec(await offer(browser))?.[1]?.replaceAll(',', ''));
  const left = LIMITS.credits.signUp - LIMITS.credits.step * 4;
  expect(estimate).toBeLessThanOrEqual(left);
  // One call more would not have been covered.
  expect(estimate + estimate / (asked / LIMITS.choosing.itemsPerCall)).toBeGreaterThan(left);
  const again = await analyse(browser, 2);
  expect(again.metadata.modelChoices).toMatchObject({ chosen: many, notAsked: 0, known: asked });
}, 60_000);

const ALLERGY_ROW = `H4,${ALLERGY.name},${ALLERGY.causes},${ALLERGY.impact},4 - Major,3 - Medium,`;

test.each([
  ['before any question was answered', false],
  ['after it was answered how to read the log', true],
])(
  'a call that takes long ends within a second of a cancel %s, and what was reserved is back',
  async (_when, isOpen) => {
    const { browser, word } = await join_();
    await upload(browser, word, 2, '', isOpen ? openLog([ALLERGY_ROW]) : undefined);
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    behave = async () => {
      isAsked();
      return { until: new Promise(() => {}) };
    };
    await start(browser);
    if (isOpen) {
      const [agent] = await browser.get('/api/user-agents');
      const question = await eventually(
        async () => ((await browser.get(`/api/agents/${agent.id}/interrupts`)) as Interrupt[])[0],
        'the question',
      );
      const userResponse = { choices: { choice1: 'option2' } };
      await browser.patch(`/api/interrupts/${question.id}/resolve`, { userResponse });
    }
    await asked;
    const [begun] = (await messagesOf(browser)).filter(({ kind }) => kind === 'analysis-started');
    const from = Date.now();
    await browser.post(`/api/arc-chat/runs/${begun?.card?.runId}/cancel`);
    await eventually(async () => (await messagesOf(browser)).some(({ kind }) => kind === 'cancelled'), 'the cancel');
    expect(Date.now() - from).toBeLessThan(1000);
    // Only the steps that were made are paid for.
    const spent = LIMITS.credits.step * (isOpen ? 4 : 2);
    await eventually(async () => (await used(browser)) === spent, `${spent} credits to be used`);
  },
  60_000,
);

test('killed while a call is under way, a run pays for no call twice, before the first answer and between two', async () => {
  const held = [await join_(), await join_()];
  let isOpen = false;
  const waiting: (() => void)[] = [];
  const until = new Promise<void>((resolve) => waiting.push(resolve));
  const [first, between] = held;
  behave = (asked) => {
    const isHeld = asked.messages[0]?.content.includes(`of ${first?.word}"`) || itemsOf(asked).length === 1;
    return { ...second(asked), ...(isHeld && !isOpen ? { until } : {}) };
  };
  for (const { browser, word } of held) {
    await upload(browser, word);
    await start(browser);
  }
  await eventually(
    async () => askedFor(first?.word ?? '').length === 1 && askedFor(between?.word ?? '').length === 2,
    'both to wait for the model',
  );
  await server.kill();
  isOpen = true;
  for (const open of waiting) open();
  server = await startProcess(directory, environment);
  for (const { browser, word } of held) {
    const { metadata } = await complete(browser);
    expect(metadata.modelChoices).toMatchObject({ chosen: COUNT, tokens: 2 * PAID, known: 0 });
    // The call that was under way is asked again; the one that was answered is not.
    expect(askedFor(word).map((one) => itemsOf(one).length)).toEqual(
      word === first?.word ? [COUNT - 1, COUNT - 1, 1] : [COUNT - 1, 1, 1],
    );
  }
}, 120_000);
