import type { Types } from 'mongoose';
import { z } from 'zod';
import type { OfferedTool } from '../llm/model.ts';

/** Where a result comes from: "V-12, sheet Valves, row 7", and the path of a page of ours that shows it. */
type Source = { label: string; url: string | null };

/** What a tool found or did. The text is what the model reads and what its answer is checked against. */
export type ToolResult = {
  text: string;
  sources?: Source[];
  /**
   * Words of outsiders in the text, such as titles of tickets: they may be repeated, but no figure, id or term in them
   * counts as found.
   */
  outside?: string[];
  /** Words of state, such as ratings: an answer may use each only as the text does. */
  terms?: string[];
  /**
   * Sides that must not be confused, each by its words: an answer that speaks of one side rests on lines that do, e.g.
   * [['before'], ['after']].
   */
  sides?: string[][];
  /** Whether it may hold words of the company's log, tickets or account, so that consent rules where they are sent. */
  isOfCompany?: boolean;
  /** False where nothing was found or done: then no answer may rest on the text. */
  isOk?: boolean;
  /** Set where another agent worked for this: the name and role of who did, and the credits that its run was charged. */
  work?: { by: string; charged: number };
};

/** What a tool gets beside its arguments. */
export type ToolContext = {
  accountId: number;
  /** The run that thinks. */
  runId: Types.ObjectId;
  /** The agent that thinks. */
  userAgentId: number;
  /** The conversation that it thinks in; null where there is none. */
  conversationId: Types.ObjectId | null;
  /** The person for whom the agent works; null for a schedule. */
  userId: number | null;
  signal: AbortSignal;
  /** Idempotency key of this use: the same again after a crash. */
  key: string;
};

type Shared<Input> = {
  /** As the model calls it: lower case with underscores. */
  name: string;
  /** What it does, for the model. */
  description: string;
  input: z.ZodType<Input>;
  /** What people read while it works: "Looking at a valve". */
  label: string;
};

/**
 * A tool that an agent may use while it thinks. One that reads runs at once, and again after a crash. One that writes
 * runs only after a person has approved its exact arguments; its `run` has to be idempotent by the context's key. One
 * that asks another agent is like one that writes, except where the person's own words ask for it, and its use is no
 * deed of this agent.
 */
export type Tool<Input = unknown> = Shared<Input> & {
  effect: 'reads' | 'writes' | 'asks';
  /** For a tool that asks: whether the person's message asks for this use, so that nobody has to approve it. */
  isAskedFor?(input: Input, message: string): boolean;
  /** The label with its arguments, shown only where the company's words may be sent. */
  describe?(input: Input, agentName: string): string;
  /** @throws AppError whose text the model may read; anything else ends the use with a neutral text */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
  /** The arguments of a writing tool by what people call them; by their own names where absent. */
  argumentLabels?: Record<string, string>;
  /** The JSON schema that the model gets, where `input` does not have it. */
  offeredInput?: OfferedTool['input'];
  /** The key under which an owner allows it without asking; its name where absent. */
  allowedAs?: string;
};

/** Begins the name of each tool of an allowed server; no tool of an agent begins so. */
export const SERVER_TOOL = 'mcp_';

/** Declares a tool; its input is parsed before it runs. */
export const defineTool = <Input>(tool: Tool<Input>): Tool => tool as unknown as Tool;

/** The schemas of tools' inputs: making one takes about a millisecond, and every model call needs all. */
const schemas = new WeakMap<z.ZodType, OfferedTool['input']>();

function schemaOf(input: z.ZodType): OfferedTool['input'] {
  const known =
    schemas.get(input) ?? (z.toJSONSchema(input, { target: 'draft-7', io: 'input' }) as OfferedTool['input']);
  schemas.set(input, known);
  return known;
}

/** Tools as a model is told of them. */
export const offered = (tools: readonly Tool[]): OfferedTool[] =>
  tools.map(({ name, description, input, offeredInput }) => ({
    name,
    description,
    input: offeredInput ?? schemaOf(input),
  }));

/** Under what an owner allows a tool without asking. */
export const allowanceOf = ({ name, allowedAs }: Pick<Tool, 'name' | 'allowedAs'>): string => allowedAs ?? name;
