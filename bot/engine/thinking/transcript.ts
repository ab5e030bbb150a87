import { z } from 'zod';
import { askedQuery } from '../../../models/contracts/askedQuery.ts';
import { SERVER_TOOL } from './tool.ts';

const toolCall = z.object({ id: z.string(), name: z.string(), input: z.unknown() });

/** What happened in a run's thinking, in order: what the model said and asked for, and what came back. */
const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), text: z.string(), calls: z.array(toolCall) }),
  z.object({
    kind: z.literal('result'),
    id: z.string(),
    name: z.string(),
    /** False where the tool failed, was refused, or does not exist. */
    isOk: z.boolean(),
    text: z.string(),
    sources: z.array(z.object({ label: z.string(), url: z.string().nullable() })),
    outside: z.array(z.string()).default([]),
    terms: z.array(z.string()).default([]),
    sides: z.array(z.array(z.string())).default([]),
    isOfCompany: z.boolean().default(false),
    work: z.object({ by: z.string(), charged: z.number() }).nullable().optional(),
  }),
]);
export type Entry = z.output<typeof entry>;
export type ToolUse = z.output<typeof toolCall>;
export type Result = Extract<Entry, { kind: 'result' }>;

/** Why thinking ended before the model was done. */
const early = z.enum(['calls', 'tokens', 'time', 'credits', 'budget', 'unavailable']);
export type Early = z.output<typeof early>;

/** The state of a run that thinks. */
export const thinkingState = z.object({
  question: z.string(),
  /** The deterministic answer: it stands wherever the model's does not. */
  grounded: z.string(),
  /** False where the deterministic answer only says that it does not know. */
  isAnswer: z.boolean(),
  /** Whether the answer may hold the company's own words. */
  fromLog: z.boolean(),
  /** The query of a deterministic answer about rows, which a later message can go on from; null where it had several. */
  rows: askedQuery.nullable().optional(),
  entries: z.array(entry).default([]),
  tokens: z.number().default(0),
  modelCalls: z.number().default(0),
  /** When the first model call began, in milliseconds since 1970. */
  began: z.number().nullable().default(null),
  early: early.nullable().default(null),
  /** Whether a tool that writes has done its work in this run. */
  written: z.boolean().default(false),
  /** The tool use that a person is asked about. */
  asking: z.string().nullable().default(null),
  /** The sent answer, and the model that wrote it; false where the deterministic answer stands. */
  answer: z.string().optional(),
  model: z.union([z.string(), z.literal(false)]).optional(),
});
export type Thinking = z.output<typeof thinkingState>;
export type ThinkingStart = z.input<typeof thinkingState>;

/** Tool uses of the last reply that have no result yet. */
export function openUses({ entries }: Pick<Thinking, 'entries'>): ToolUse[] {
  const done = new Set(entries.flatMap((one) => (one.kind === 'result' ? [one.id] : [])));
  const last = entries.findLast((one) => one.kind === 'reply');
  return last?.kind === 'reply' ? last.calls.filter(({ id }) => !done.has(id)) : [];
}

/** Everything that tools found in this run. */
export const resultsOf = ({ entries }: Pick<Thinking, 'entries'>): Result[] =>
  entries.filter((one) => one.kind === 'result' && one.isOk) as Result[];

/** Who else worked in this run, each once. */
export const helpersOf = (state: Pick<Thinking, 'entries'>): string[] => [
  ...new Set(resultsOf(state).flatMap(({ work }) => work?.by ?? [])),
];

/** Whether another agent's run was charged for work in this one. */
export const isChargedElsewhere = (state: Pick<Thinking, 'entries'>): boolean =>
  resultsOf(state).some(({ work }) => (work?.charged ?? 0) > 0);

/** The text of the model's last reply. */
export function lastText({ entries }: Pick<Thinking, 'entries'>): string {
  const last = entries.findLast((one) => one.kind === 'reply');
  return last?.kind === 'reply' ? last.text : '';
}

/** Whether an answer may hold the company's own words; what its servers' tools found are such. */
export const mayHoldOwnWords = (state: Pick<Thinking, 'entries' | 'fromLog'>): boolean =>
  state.fromLog || resultsOf(state).some(({ name, isOfCompany }) => isOfCompany || name.startsWith(SERVER_TOOL));
