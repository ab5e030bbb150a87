import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { z } from 'zod';
import { grantCredits } from '../../bot/engine/credits/credits.ts';
import { answerInterrupt } from '../../bot/engine/interrupts/answerInterrupt.ts';
import { onAnswered } from '../../bot/engine/interrupts/applyConsequences.ts';
import { configuredModels } from '../../bot/engine/llm/model.ts';
import { defineThinking } from '../../bot/engine/thinking/defineThinking.ts';
import { defineTool, type ToolContext } from '../../bot/engine/thinking/tool.ts';
import type { ThinkingStart } from '../../bot/engine/thinking/transcript.ts';
import { executeRun } from '../../bot/engine/workflows/executeRun.ts';
import { resumeRun } from '../../bot/engine/workflows/resumeRun.ts';
import { startRun } from '../../bot/engine/workflows/startRun.ts';
import { beginWith, registerWorkflow } from '../../bot/engine/workflows/workflow.ts';
import { findAgent } from '../../models/contracts/catalogue.ts';
import type { RunProgress } from '../../models/contracts/chat.ts';
import { AppError } from '../../models/contracts/errors.ts';
import type { AnswerBody } from '../../models/contracts/interrupts.ts';
import { parseEnvironment } from '../../models/env.ts';
import { Interrupt } from '../../models/interrupt.ts';
import type { RunRow } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { UserAgent } from '../../models/userAgent.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { nextNumber } from './account.ts';
import { readRun } from './runs.ts';
import { connectChannel, connectTurns, hireFor, readMessages } from './turns.ts';
import { makeWho } from './who.ts';

export const GROUNDED = 'The built-in answer: 2 valves are open.';
/** What may be sent of an answer with the company's own words. */
export const DERIVED = { redacted: 'Redacted.', reference: 'Referenced.' };

/** What the tools of the tests were used for. */
export type Uses = { name: string; input: unknown; key: string }[];

/**
 * Sets up a test file: the store, a model's server whose behaviour the test gives call by call, and a workflow that
 * thinks with four tools: `look` (reads), `fail` and `refuse` (read and do not succeed) and `note` (writes).
 */
export function connectThinking() {
  let servers: Awaited<ReturnType<typeof startModelServer>>[] = [];
  let place: { accountId: number; conversation: Awaited<ReturnType<typeof import('./turns.ts').openPlace>> };
  const it = {
    /** Behaviour by call; the last one repeats. */
    says: [] as Behaviour[],
    uses: [] as Uses,
    shown: [] as RunProgress[],
    /** Whether a second model is configured. */
    hasFallback: false,
    onUse: null as ((context: ToolContext) => Promise<void>) | null,
  };
  const note = async (name: string, input: unknown, context: ToolContext) => {
    it.uses.push({ name, input, key: context.key });
    await it.onUse?.(context);
  };
  const at = z.object({ at: z.string().min(1) });
  const TOOLS = [
    defineTool({
      ...{ name: 'look', description: 'Looks at a valve.', label: 'Looking at a valve', input: at, effect: 'reads' },
      async run({ at: valve }, context) {
        await note('look', { at: valve }, context);
        return {
          text: `2 valves of 5 are open:\n• ${valve}: It leaks (wear 4)`,
          sources: [{ label: valve, url: null }],
          isOfCompany: valve.startsWith('OWN'),
        };
      },
    }),
    defineTool({
      ...{ name: 'fail', description: 'Fails.', label: 'Failing', input: at, effect: 'reads' },
      async run(input, context) {
        await note('fail', input, context);
        throw new Error('the secret inside');
      },
    }),
    defineTool({
      ...{ name: 'refuse', description: 'Refuses.', label: 'Refusing', input: at, effect: 'reads' },
      async run(input, context) {
        await note('refuse', input, context);
        throw new AppError('not_allowed');
      },
    }),
    defineTool({
      ...{ name: 'note', description: 'Writes a note.', label: 'Write a note', effect: 'writes' },
      input: z.object({ text: z.string().min(1), copies: z.number().int().max(9) }),
      argumentLabels: { text: 'Text of the note' },
      async run(input, context) {
        await note('note', input, context);
        return { text: `Noted in ${input.copies} copies: ${input.text}` };
      },
    }),
  ];
  const models = () => {
    const [server] = servers;
    return configuredModels(
      parseEnvironment({
        ...{ MODEL_PROVIDER: 'openai-compatible', MODEL_NAME: 'large', MODEL_REGION: 'uk' },
        ...{ MODEL_BASE_URL: server?.url ?? '', OPENAI_API_KEY: 'model-key' },
        ...(it.hasFallback ? { MODEL_FALLBACK_NAME: 'small' } : {}),
      }),
    );
  };
  const workflow = defineThinking({ name: 'thinks', tools: TOOLS, derive: () => DERIVED, models });
  connectTurns((made) => {
    place = made;
  });
  beforeAll(async () => {
    registerWorkflow(workflow);
    onAnswered(resumeRun);
    servers = [await startModelServer((asked) => behave(asked))];
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));
  const behave = (_asked: Asked) => it.says[Math.min(calls().length - 1, it.says.length - 1)] ?? { text: 'Nothing.' };
  let before = 0;
  const calls = () => (servers[0]?.asked ?? []).slice(before);
  beforeEach(async () => {
    Object.assign(it, { says: [], uses: [], shown: [], hasFallback: false, onUse: null });
    connectChannel({ progress: (_conversation, progress) => void it.shown.push(progress) });
    before = servers[0]?.asked.length ?? 0;
    await runInAccount(place.accountId, () => grantCredits(place.accountId, 100_000, 'grant', 'test'));
  });
  return Object.assign(it, {
    workflow,
    calls,
    place: () => place,
    /** Starts a run without executing it. */
    async begin(more: Partial<ThinkingStart> = {}): Promise<RunRow> {
      const id = await hireFor(place.accountId, 'clinical_safety').catch(() => null);
      const { accountId, conversation } = place;
      return runInAccount(accountId, async () => {
        const userAgent = requireRow(await UserAgent.findOne(id === null ? { accountId } : { _id: id }).lean());
        const agent = requireRow(findAgent('clinical_safety') ?? null);
        const start = {
          question: 'Which valves are open?',
          grounded: GROUNDED,
          isAnswer: true,
          fromLog: false,
          ...more,
        };
        const { run } = await startRun({
          ...beginWith(workflow, 'Which valves are open?', start),
          ...{ userAgent, agent, conversation, userId: 7, startKey: String(nextNumber()) },
        });
        return run;
      });
    },
    /** Starts a run and executes it until it ends or asks. */
    async think(says: Behaviour[], more: Partial<ThinkingStart> = {}): Promise<RunRow> {
      it.says = says;
      const run = await this.begin(more);
      await executeRun(run, place.conversation);
      return readRun(run);
    },
    /** The question that a run waits for. */
    question: async (run: RunRow) =>
      runInAccount(place.accountId, async () =>
        requireRow(await Interrupt.findOne({ _id: Number((await readRun(run)).state.interruptId) }).lean()),
      ),
    /** Answers a question as the owner. */
    answer: (id: number, body: AnswerBody) =>
      runInAccount(place.accountId, () => answerInterrupt(makeWho({ accountId: place.accountId }), id, body, 'inbox')),
    /** The texts that the agent said, oldest first. */
    said: async () =>
      (await readMessages(place.accountId)).filter(({ key }) => key.startsWith('run:')).map(({ text }) => text),
  });
}
