import { useSyncExternalStore } from 'react';
import { type AgentId, isAgentId } from '../../models/contracts/catalogueAgent.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { findTool } from '../../models/contracts/tools.ts';
import { hire, onboard } from './agents.ts';

type VisitorStatus = 'candidate' | 'hired' | 'onboarded';
/** What a visitor has done before signing up; kept in this browser only. */
type VisitorTeam = {
  goal: string | null;
  agents: Partial<Record<AgentId, { status: VisitorStatus; tools: string[] }>>;
};

const KEY = 'arc.visitorTeam';
const nobody: VisitorTeam = { goal: null, agents: {} };
let team: VisitorTeam | null = null;
const listeners = new Set<() => void>();

const STATUSES: readonly unknown[] = ['candidate', 'hired', 'onboarded'] satisfies VisitorStatus[];
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The team that is kept, whatever is there: what is of no agent, status or tool that there is counts as nothing. */
export function teamFrom(kept: unknown): VisitorTeam {
  if (!isRecord(kept)) return nobody;
  const goal = typeof kept.goal === 'string' && kept.goal.trim() ? kept.goal.slice(0, LIMITS.goal.max) : null;
  const agents: VisitorTeam['agents'] = {};
  for (const [id, choice] of Object.entries(isRecord(kept.agents) ? kept.agents : {})) {
    if (!isAgentId(id) || !isRecord(choice) || !STATUSES.includes(choice.status)) continue;
    const tools = Array.isArray(choice.tools) ? choice.tools : [];
    agents[id] = {
      status: choice.status as VisitorStatus,
      tools: tools.filter((tool): tool is string => typeof tool === 'string' && findTool(tool) !== undefined),
    };
  }
  return { goal, agents };
}

function read(): VisitorTeam {
  if (team) return team;
  try {
    team = teamFrom(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    team = nobody;
  }
  return team;
}

function write(next: VisitorTeam | null): void {
  team = next;
  try {
    if (next) localStorage.setItem(KEY, JSON.stringify(next));
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing: the team lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** The visitor's team, and what it can become. */
export function useVisitorTeam(): VisitorTeam {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}

/** Keeps the goal that was set. */
export function setVisitorGoal(goal: string): void {
  write({ ...read(), goal });
}

/** Moves one agent on. */
export function setVisitorAgent(agentId: AgentId, status: VisitorStatus, tools: string[] = []): void {
  const before = read();
  write({ ...before, agents: { ...before.agents, [agentId]: { status, tools } } });
}

/** After a sign-up: hires and onboards for the account what the visitor had chosen. What fails can be done by hand. */
export async function carryOverVisitorTeam(): Promise<void> {
  const { agents, goal } = read();
  for (const [id, choice] of Object.entries(agents)) {
    if (choice.status === 'candidate') continue;
    await hire(id as AgentId);
    if (choice.status === 'onboarded') await onboard(id as AgentId, choice.tools);
  }
  write(goal ? { goal, agents: {} } : null);
}

/** The goal set before signing up, once: it becomes the first words in the chat's box. */
export function takeVisitorGoal(): string | null {
  const { goal } = read();
  if (goal) write(null);
  return goal;
}
