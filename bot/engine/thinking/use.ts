import { consentFor } from '../delivery/consent.ts';
import type { Question } from '../interrupts/question.ts';
import { readToolUseAnswer, TOOL_USE, type ToolUseContext } from '../questions/kinds/toolUse.ts';
import type { StepContext, StepResult } from '../workflows/workflow.ts';
import type { Tool, ToolContext } from './tool.ts';
import { openUses, type Result, type Thinking, type ToolUse } from './transcript.ts';
import { parseUse, resultOf, runTool } from './useTool.ts';

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
/** The value for an edited text: of the type that it had. */
const retyped = (text: string, before: unknown): unknown => {
  if (typeof before === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const contextFor = ({ run, signal }: StepContext<Thinking>, use: ToolUse): ToolContext => ({
  accountId: run.accountId,
  runId: run._id,
  userAgentId: run.userAgentId,
  conversationId: run.conversationId,
  userId: run.userId,
  signal,
  key: `run:${run._id}:${use.id}`,
});

/** The question about the use of a writing tool, with its exact arguments. */
function questionOf(tool: Tool, input: unknown): Question {
  const { argumentLabels = {} } = tool;
  const context: ToolUseContext = {
    toolLabel: tool.label,
    arguments: Object.entries(input as Record<string, unknown>).map(([name, value]) => ({
      name,
      label: argumentLabels[name] ?? name,
      text: textOf(value),
    })),
  };
  return { interruptType: TOOL_USE, prompt: `May I do this? ${tool.label}.`, context };
}

/** Uses tools that read, side by side, and asks a person about the first that writes. */
export async function useTools(
  context: StepContext<Thinking>,
  tools: readonly Tool[],
  isAllowed: (tool: Tool) => Promise<boolean>,
): Promise<StepResult<Thinking>> {
  const { state } = context;
  const uses = openUses(state).map((use) => ({ use, parsed: parseUse(tools, use) }));
  const atOnce = uses.filter(({ parsed }) => 'refused' in parsed || isUsedAtOnce(parsed, state.question));
  if (atOnce.length > 0) {
    context.progress(
      await labelsOf(
        context,
        atOnce.map(({ parsed }) => parsed),
      ),
      state.modelCalls,
      0,
    );
    const results = await Promise.all(
      atOnce.map(({ use, parsed }) =>
        'refused' in parsed
          ? resultOf(use, false, { text: parsed.refused })
          : runTool(parsed.tool, parsed.input, use, contextFor(context, use)),
      ),
    );
    return { state: { entries: [...state.entries, ...results] }, next: nextAfter(state, results) };
  }
  const [first] = uses;
  if (!first || 'refused' in first.parsed) return { next: 'think' };
  const { use, parsed } = first;
  if (await isAllowed(parsed.tool)) {
    context.progress(await labelsOf(context, [parsed]), state.modelCalls, 0);
    const result = await runTool(parsed.tool, parsed.input, use, contextFor(context, use));
    return { state: withResult(state, result, parsed.tool), next: nextAfter(state, [result]) };
  }
  return { state: { asking: use.id }, ask: questionOf(parsed.tool, parsed.input), next: 'apply' };
}

/** A state with the result of a tool that writes. */
const withResult = ({ entries, written }: Thinking, result: Result, tool?: Tool) => ({
  entries: [...entries, result],
  written: written || (result.isOk && tool?.effect === 'writes'),
});

/** Whether a tool runs without a person's approval. */
const isUsedAtOnce = ({ tool, input }: { tool: Tool; input: unknown }, message: string): boolean =>
  tool.effect === 'reads' || (tool.effect === 'asks' && tool.isAskedFor?.(input, message) === true);

async function labelsOf(
  { conversation, agent }: StepContext<Thinking>,
  parsed: readonly ReturnType<typeof parseUse>[],
) {
  const { accountId, address } = conversation ?? {};
  const isFull = accountId && address ? (await consentFor(accountId, address.channel)) === 'full' : false;
  const labels = parsed.flatMap((one) => {
    if (!('tool' in one)) return [];
    const described = isFull ? one.tool.describe?.(one.input, agent.displayName) : undefined;
    return [described ?? one.tool.label];
  });
  return [...new Set(labels)].join(', ') || 'Working';
}

const nextAfter = (state: Thinking, results: readonly Result[]) =>
  openUses({ entries: [...state.entries, ...results] }).length > 0 ? 'use' : 'think';

/** Does what a person answered about the use of a tool; its result goes back to the model. */
export async function applyAnswer(
  context: StepContext<Thinking>,
  tools: readonly Tool[],
): Promise<StepResult<Thinking>> {
  const { state } = context;
  const use = openUses(state).find(({ id }) => id === state.asking);
  if (!use) return { state: { asking: null }, next: 'think' };
  const { userResponse, resolution } = await context.answer();
  const { approved, edits, words } = readToolUseAnswer(userResponse);
  const done = (result: Result, tool?: Tool): StepResult<Thinking> => ({
    state: { ...withResult(state, result, tool), asking: null },
    next: nextAfter(state, [result]),
  });
  if (words !== null)
    return done(resultOf(use, false, { text: `Not done. The person says what should be different: ${words}` }));
  if (!approved) {
    const why = resolution?.reason ? ` Reason: ${resolution.reason}` : '';
    return done(resultOf(use, false, { text: `Not done: the person refused.${why}` }));
  }
  const before = (use.input ?? {}) as Record<string, unknown>;
  const edited = Object.fromEntries(Object.entries(edits).map(([name, text]) => [name, retyped(text, before[name])]));
  const changed = { ...use, input: { ...before, ...edited } };
  const parsed = parseUse(tools, changed);
  if ('refused' in parsed) return done(resultOf(use, false, { text: `Not done. ${parsed.refused}` }));
  const result = await runTool(parsed.tool, parsed.input, changed, contextFor(context, use));
  const note = Object.keys(edited).length > 0 ? `\nThe person changed: ${Object.keys(edited).join(', ')}.` : '';
  return done({ ...result, text: `${result.text}${note}` }, parsed.tool);
}
