import { z } from 'zod';
import { AGENT_IDS } from './catalogueAgent.ts';
import { endpoint } from './endpoint.ts';

/** Periods of the use of credits, in days back from now. */
export const USE_PERIODS = ['30', '90', '365'] as const;
export type UsePeriod = (typeof USE_PERIODS)[number];
const period = z.object({ days: z.enum(USE_PERIODS).default('30') });

/** What the use of credits is counted by. */
export const USE_GROUPS = ['agent', 'person', 'channel', 'model'] as const;
export type UseGroup = (typeof USE_GROUPS)[number];

const group = z.object({
  /** Id of the agent, person or channel, or the model's name; null where there is none, e.g. for a schedule. */
  id: z.string().nullable(),
  name: z.string(),
  used: z.number().int(),
  /** Pieces of work that were paid for. */
  runs: z.number().int(),
});
export type UsedBy = z.infer<typeof group>;

const agentBudget = z.object({
  agentId: z.enum(AGENT_IDS),
  name: z.string(),
  usedThisMonth: z.number().int(),
  /** Credits that it may use in a month; null where that is not limited. */
  budget: z.number().int().nullable(),
});
export type AgentBudget = z.infer<typeof agentBudget>;

export const readCreditUse = endpoint({
  method: 'get',
  path: '/api/billing/use',
  summary: 'Credits used by agent, person, channel and model, and the agents’ budgets of the month',
  policy: 'signed-in',
  scopes: ['usage:read'],
  query: period,
  answer: z.object({
    by: z.object(
      Object.fromEntries(USE_GROUPS.map((name) => [name, z.array(group)])) as Record<
        UseGroup,
        z.ZodArray<typeof group>
      >,
    ),
    /** The company's month as "2026-11". */
    month: z.string(),
    budgets: z.array(agentBudget),
  }),
});

export const exportCreditUse = endpoint({
  method: 'get',
  path: '/api/billing/use.csv',
  summary: 'Every movement of the credits in a period, as CSV',
  policy: 'signed-in',
  scopes: ['usage:read'],
  query: period,
  answerType: 'file',
});

const MAX_BUDGET = 1_000_000_000;

export const setAgentBudget = endpoint({
  method: 'put',
  path: '/api/billing/budgets',
  summary: 'Set what an agent may use in a month, or end the limit. Needs the owner',
  policy: 'signed-in',
  body: z.object({
    agentId: z.enum(AGENT_IDS),
    budget: z
      .number()
      .int('Use a whole number of credits.')
      .min(1, 'A budget is at least 1 credit.')
      .max(MAX_BUDGET, `A budget is at most ${MAX_BUDGET.toLocaleString('en-GB')} credits.`)
      .nullable(),
  }),
  answer: z.object({ success: z.literal(true) }),
});
