import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { logger } from '../../../models/logger.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import type { Result, ToolUse } from './transcript.ts';

const MAX = LIMITS.thinking.resultCharacters;

const cutText = (text: string) =>
  text.length <= MAX ? text : `${text.slice(0, MAX)}\n[The rest of this result was left out. Ask for less.]`;

/** A result in the transcript. */
export const resultOf = (
  { id, name }: ToolUse,
  isOk: boolean,
  { text, sources = [], outside = [], terms = [], sides = [], isOfCompany = false, work }: ToolResult,
): Result => ({
  kind: 'result',
  ...{ id, name, isOk, sources, outside, terms, sides, isOfCompany, ...(work ? { work } : {}) },
  text: cutText(text),
});

/**
 * Parses the arguments of a tool use.
 * @returns the parsed arguments, or the sentence that the model reads instead
 */
export function parseUse(tools: readonly Tool[], use: ToolUse): { tool: Tool; input: unknown } | { refused: string } {
  const tool = tools.find(({ name }) => name === use.name);
  if (!tool)
    return {
      refused: `There is no tool called ${use.name.slice(0, 60)}. Use one of: ${tools.map(({ name }) => name).join(', ')}.`,
    };
  const read = tool.input.safeParse(use.input ?? {});
  if (read.success) return { tool, input: read.data };
  const faults = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
  return { refused: `The arguments do not fit. ${faults.join('; ')}` };
}

/** Runs a tool. What it throws becomes a result that the model reads; only an aborted signal is thrown on. */
export async function runTool(tool: Tool, input: unknown, use: ToolUse, context: ToolContext): Promise<Result> {
  try {
    const given = await tool.run(input, context);
    return resultOf(use, given.isOk ?? true, given);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof AppError) return resultOf(use, false, { text: error.message });
    logger.warn({ err: error, tool: tool.name }, 'a tool failed');
    return resultOf(use, false, { text: 'The tool failed. Answer without it, or use another one.' });
  }
}
