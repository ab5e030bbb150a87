import { useSyncExternalStore } from 'react';
import { type AgentId, isAgentId } from '../../models/contracts/catalogueAgent.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { findTool } from '../../models/contracts/tools.ts';
import { hire, onboard } from './agents.ts';

type VisitorStatus = 'candidate' | 'hired' | 'onboarded';
/** A visitor's goal and agents before signing up; kept in this browser only. */
type VisitorTeam = {
  goal: string | null;
  agents: Partial<Record<AgentId, { status: VisitorStatus; tools: string[] }>>;
  /** The visitor ran the sample. */
  tried?: true;
};

const KEY = 'arc.visitorTeam';
const EMPTY_TEAM: VisitorTeam = { goal: null, agents: {} };
let team: VisitorTeam | null = null;
const listeners = new Set<() => void>();

const STATUSES: readonly unknown[] = ['candidate', 'hired', 'onboarded'] satisfies VisitorStatus[];
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The team from a stored value; unknown agents, statuses and tools are left out. */
export function teamFrom(kept: unknown): VisitorTeam {
  if (!isRecord(kept)) return EMPTY_TEAM;
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
  return { goal, agents, ...(kept.tried === true ? { tried: true } : {}) };
}

function read(): VisitorTeam {
  if (team) return team;
  try {
    team = teamFrom(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    team = EMPTY_TEAM;
  }
  return team;
}

function write(next: VisitorTeam | null): void {
  team = next;
  try {
    if (next) localStorage.setItem(KEY, JSON.stringify(next));
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the team lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** The visitor's team. */
export function useVisitorTeam(): VisitorTeam {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}

/** Keeps the visitor's goal, started or not. */
export function setVisitorGoal(goal: string): void {
  write({ ...read(), goal: goal.trim() ? goal : null });
}

/** Keeps that the visitor ran the sample. */
export function setVisitorTried(): void {
  write({ ...read(), tried: true });
}

/** Whether the visitor ran the sample before signing up; once, for whoever shows it to them again. */
export function takeVisitorTried(): boolean {
  const { tried, ...rest } = read();
  if (tried) write(rest.goal ? rest : null);
  return tried === true;
}

/** Sets the status and tools of one agent. */
export function setVisitorAgent(agentId: AgentId, status: VisitorStatus, tools: string[] = []): void {
  const before = read();
  write({ ...before, agents: { ...before.agents, [agentId]: { status, tools } } });
}

/** After a sign-up, hires and onboards the agents that the visitor chose. Stops at the first failure. */
export async function carryOverVisitorTeam(): Promise<void> {
  const { agents, ...rest } = read();
  for (const [id, choice] of Object.entries(agents)) {
    if (choice.status === 'candidate') continue;
    await hire(id as AgentId);
    if (choice.status === 'onboarded') await onboard(id as AgentId, choice.tools);
  }
  write(rest.goal || rest.tried ? { ...rest, agents: {} } : null);
}

/** The visitor's goal; null without one. */
export const visitorGoal = (): string | null => read().goal;

/** Returns the visitor's goal and forgets it; the chat puts it into the message box. */
export function takeVisitorGoal(): string | null {
  const { goal, ...rest } = read();
  if (goal) write(rest.tried ? { ...rest, goal: null } : null);
  return goal;
}
