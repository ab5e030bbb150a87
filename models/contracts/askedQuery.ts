import { z } from 'zod';
import { AGENT_IDS } from './catalogueAgent.ts';
import { endpoint } from './endpoint.ts';

const MAX_NAME = 60;
const MAX_VALUE = 200;
const MAX_PARTS = 12;
/** Conditions of a query, those that join others included: each is tried on every row and said in the answer. */
const MAX_CONDITIONS = 60;
const MAX_ROWS_ASKED = 1000;

const field = z.string().min(1).max(MAX_NAME);
const operator = z.enum(['=', '<', '<=', '>', '>=']);
export type Operator = z.infer<typeof operator>;

/** A condition on rows of one kind. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  /** One of these values. */
  | { field: string; is: string[] }
  | { field: string; operator: Operator; value: number | string }
  /** Two fields of one row. */
  | { field: string; operator: Operator; other: string }
  | { field: string; has: boolean }
  | { field: string; flag: boolean }
  /** Some row of another kind belongs to it and fits: pipes with a leak that nobody closed. */
  | { via: string; where: Condition };

const condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(condition).min(1).max(MAX_PARTS) }),
    z.strictObject({ any: z.array(condition).min(1).max(MAX_PARTS) }),
    z.strictObject({ not: condition }),
    z.strictObject({ field, is: z.array(z.string().max(MAX_VALUE)).min(1).max(MAX_PARTS) }),
    z.strictObject({ field, operator, value: z.union([z.number(), z.string().max(MAX_VALUE)]) }),
    z.strictObject({ field, operator, other: field }),
    z.strictObject({ field, has: z.boolean() }),
    z.strictObject({ field, flag: z.boolean() }),
    z.strictObject({ via: field, where: condition }),
  ]),
);

function countConditions(where: Condition): number {
  if ('not' in where) return 1 + countConditions(where.not);
  if ('via' in where) return 1 + countConditions(where.where);
  const parts = 'all' in where ? where.all : 'any' in where ? where.any : [];
  return parts.reduce((sum, part) => sum + countConditions(part), 1);
}
const isShort = (where: Condition | null) => where === null || countConditions(where) <= MAX_CONDITIONS;

const query = z.strictObject({
  /** The kind of row: "runs". */
  entity: field,
  where: condition.nullable().refine(isShort, `Use at most ${MAX_CONDITIONS} conditions.`),
  /** The highest or lowest by this field; without `limit`, all rows that share the best value. */
  sort: z.strictObject({ field, highestFirst: z.boolean() }).optional(),
  limit: z.number().int().min(1).max(MAX_ROWS_ASKED).optional(),
  /** Counts the rows by the values of this field. */
  group: field.optional(),
  onlyCount: z.boolean(),
});
/** A question in typed form, which the store or a result can answer. */
export type Query = z.infer<typeof query>;

/** What of a condition can be changed without words: the words before and after it stay. */
const change = z.object({
  before: z.string(),
  after: z.string(),
  /** The comparison, and each that is possible in words: "above", "more than". */
  operator: operator.optional(),
  operators: z.array(z.object({ operator, words: z.string() })),
  value: z.union([z.number(), z.string()]),
  /** The values that a choice may have; empty for a number. */
  options: z.array(z.string()),
  /** The whole condition of each option, where one says more than a value: "are covered", "are not covered". */
  conditions: z.array(condition).optional(),
});
export type ChipChange = z.infer<typeof change>;

const chip = z.object({
  /** In words: "have a recorded residual risk above 2". */
  label: z.string(),
  /** The part of the query that it stands for: a condition by its place, or one of the others. */
  part: z.union([z.number().int(), z.enum(['sort', 'limit', 'group'])]),
  /** Absent where the chip can only be removed. */
  change: change.optional(),
  /** The one field of its condition; absent where it has several. */
  field: field.optional(),
});
export type Chip = z.infer<typeof chip>;

/** All rows of a query with their values, as words. */
const listedRows = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  /** How many rows match; more than `rows` where they are too many for a page. */
  count: z.number().int(),
});
export type ListedRows = z.infer<typeof listedRows>;

/** The query of an answer, and how it is shown. */
export const askedQuery = z.object({
  query,
  /** The noun of its rows: "runs". */
  noun: z.string(),
  /** What joins the conditions. */
  joins: z.enum(['and', 'or']),
  chips: z.array(chip),
  /** Whether the agent's result has a table of these rows. */
  hasTable: z.boolean(),
  /** The result that the rows are of, by the agent's id for it; absent for rows of the account. */
  of: z.number().int().positive().optional(),
});
export type AskedQuery = z.infer<typeof askedQuery>;

const beginning = z.object({
  field,
  /** "residual risk". */
  noun: z.string(),
  /** What holds for rows at first; its value is changed then. */
  condition,
});
/** A field, and a condition on it to begin with. */
export type Beginning = z.infer<typeof beginning>;

export const askAgain = endpoint({
  method: 'post',
  path: '/api/arc-chat/ask-again',
  summary: 'Answer a changed query of an earlier answer, without words and free of charge',
  policy: 'signed-in',
  body: z.object({ agentId: z.enum(AGENT_IDS), query, of: z.number().int().positive().optional() }),
  answer: z.object({
    /** The count and the condition first, then the first rows. */
    text: z.string(),
    asked: askedQuery,
    /** Keys of all rows that match, by which the tables filter; empty where the kind of row has no table. */
    rows: z.array(z.string()),
    /** The rows themselves, where the agent's result has no table of them; else null. */
    listed: listedRows.nullable(),
    /** The fields that a condition can be on. */
    beginnings: z.array(beginning),
  }),
});

/**
 * Where the rows of a query stand in the tables: the agent's result, filtered by the address.
 * @param of the agent's id of the result; its newest without it
 */
export const pathOfRows = (userAgentId: number, query: Query, of?: number): string =>
  `/workspace?agent=${userAgentId}&tab=workspace${of === undefined ? '' : `&of=${of}`}&rows=${encodeURIComponent(query.entity)}&query=${encodeURIComponent(JSON.stringify(query))}`;

/** The page that lists the rows of a query that no result has a table of. @param of the agent's id of the result */
export const pathOfList = (agentId: string, query: Query, of?: number): string =>
  `/rows?agent=${encodeURIComponent(agentId)}${of === undefined ? '' : `&of=${of}`}&query=${encodeURIComponent(JSON.stringify(query))}`;

/**
 * The query in an address; null where it has none that can be read. Pages have no schemas, so only its shape is looked
 * at: the server checks the rest.
 */
export function readQueryOf(text: string | null): Query | null {
  try {
    const read: unknown = JSON.parse(text ?? '');
    const isQuery = typeof read === 'object' && read !== null && 'entity' in read && typeof read.entity === 'string';
    return isQuery ? (read as Query) : null;
  } catch {
    return null;
  }
}
