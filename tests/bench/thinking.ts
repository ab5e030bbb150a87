import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { startProcess } from '../factories/process.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { connectPerson } from './person.ts';
import { type BenchRow, percentile } from './row.ts';

const QUESTION = 'What could go wrong when a dose is shown in the wrong unit?';
const LOOK_UP: Behaviour = { calls: [{ name: 'describe_item', input: { id: 'MED-02' } }] };
/** Its first chunk holds a whole sentence. */
const ANSWER = 'MED-02 fits. MED-02 fits your words too, and I found nothing else.';
const ROUNDS = 40;
const CALLS = 5;
const STREAMS = 200;
const PEOPLE = 20;
const MEBIBYTE = 2 ** 20;

const resultsIn = ({ messages }: Asked) => messages.filter(({ role }) => role === 'tool').length;
/** Times between requests that follow each other, in milliseconds. */
const gapsOf = (moments: readonly number[]) => moments.slice(1).map((moment, at) => moment - (moments[at] ?? 0));
const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

/** What was offered and found in an answer, as the model's server got it in the dialect of OpenAI's chat completions. */
type Conversation = {
  messages: { role: string; content: string }[];
  tools: { function: { name: string; description: string; parameters: Parameters<typeof jsonSchema>[0] } }[];
};

/**
 * The SDK's own loop over the same question with the same tools, which find the same and save nothing.
 * @param last the body of the last request of an answer
 * @returns milliseconds from one request to the next
 */
async function timeBare(
  baseURL: string,
  apiKey: string,
  { messages, tools }: Conversation,
  moments: () => number[],
): Promise<number> {
  const model = createOpenAICompatible({ name: 'bench', baseURL, apiKey })('large');
  const textOf = (wanted: string) => messages.find(({ role }) => role === wanted)?.content ?? '';
  const execute = () => textOf('tool');
  const offered = tools.map(({ function: { name, description, parameters } }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute }),
  ]);
  const gaps: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sent = moments();
    const prompt = { system: textOf('system'), prompt: QUESTION, tools: Object.fromEntries(offered) };
    await streamText({ model, ...prompt, temperature: 0, stopWhen: stepCountIs(CALLS) }).text;
    gaps.push(...gapsOf(sent));
  }
  return percentile(gaps, 0.5);
}

/**
 * Times answers that a language model thinks about, with a model's server that answers at once, so that what is left is
 * ours: the loop between two model calls with its durable steps, and the way of the first words to a browser. Then two
 * hundred answers at once in one process.
 */
export async function benchThinking(): Promise<BenchRow[]> {
  let behave: (asked: Asked) => Behaviour = () => ({ text: ANSWER });
  const model = await startModelServer((asked) => behave(asked));
  const directory = mkdtempSync(join(tmpdir(), 'arc-bench-'));
  const server = await startProcess(directory, {
    ...{ MODEL_PROVIDER: 'openai-compatible', MODEL_NAME: 'large', MODEL_REGION: 'uk' },
    ...{ MODEL_BASE_URL: model.url, OPENAI_API_KEY: model.apiKey },
  });
  const people: Awaited<ReturnType<typeof connectPerson>>[] = [];
  try {
    for (let at = 0; at < PEOPLE; at += 1) people.push(await connectPerson(server.url, `thinks${at}@example.org`));
    const [first] = people as [(typeof people)[number]];

    const gaps: number[] = [];
    let last: object = {};
    const listen = () => {
      const moments: number[] = [];
      behave = (asked) => {
        moments.push(performance.now());
        last = asked.body;
        return resultsIn(asked) < CALLS - 1 ? LOOK_UP : { text: ANSWER };
      };
      return moments;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const moments = listen();
      await first.askByCall(QUESTION);
      gaps.push(...gapsOf(moments));
    }
    const bare = await timeBare(model.url, model.apiKey, last as Conversation, listen);
    const own = percentile(gaps, 0.5) - bare;
    console.log(`between two model calls: ${percentile(gaps, 0.5).toFixed(1)} ms, the SDK alone ${bare.toFixed(1)} ms`);

    const delays: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      let sent = 0;
      const onText = () => {
        sent = performance.now();
      };
      behave = (asked) => (resultsIn(asked) === 0 ? LOOK_UP : { text: ANSWER, pause: 130, onText });
      const words = first.firstWords();
      const answered = first.askByCall(QUESTION);
      delays.push((await words) - sent);
      await answered;
    }
    const delay = percentile(delays, 0.5);

    let open = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const allOpen = new Promise<void>((resolve) => {
      behave = (asked) => {
        if (resultsIn(asked) === 0) return LOOK_UP;
        open += 1;
        if (open === STREAMS) resolve();
        return { text: ANSWER, until: released, pause: 20 };
      };
    });
    const answers: Promise<{ message: string }>[] = [];
    for (const person of people) {
      for (let at = 0; at < STREAMS / PEOPLE; at += 1) {
        answers.push(person.askIn(await person.startConversation(), QUESTION));
      }
    }
    await Promise.race([allOpen, Promise.all(answers)]);
    const bytes = residentBytes(server.child.pid ?? 0);
    const together = open;
    release();
    const good = (await Promise.all(answers)).filter(({ message }) => message.includes('fits your words too')).length;
    return [
      {
        name: 'loop beside the SDK alone, per model call, p50',
        value: `${own.toFixed(1)} ms`,
        limit: '≤ 8 ms',
        ok: own <= 8,
      },
      {
        name: 'first words from provider to browser, p50',
        value: `${delay.toFixed(1)} ms`,
        limit: '≤ 30 ms',
        ok: delay <= 30,
      },
      {
        name: 'answers written at once',
        value: `${together}, ${good} right`,
        limit: `${STREAMS}`,
        ok: good === STREAMS && together === STREAMS,
      },
      {
        name: 'memory meanwhile',
        value: `${Math.round(bytes / MEBIBYTE)} MiB`,
        limit: '< 400 MiB',
        ok: bytes < 400 * MEBIBYTE,
      },
    ];
  } finally {
    for (const person of people) person.close();
    await server.stop();
    await model.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
