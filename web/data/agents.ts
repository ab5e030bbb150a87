import { mutate } from 'swr';
import { findAgent } from '../../models/contracts/catalogue.ts';
import { POLLS } from '../../models/contracts/limits.ts';
import { findTool } from '../../models/contracts/tools.ts';
import {
  changeAgentAction,
  getUserAgent,
  hireAgent,
  letAgentGo,
  listAgentActions,
  listUserAgents,
  listWorkspaces,
  onboardAgent,
  type UserAgent,
} from '../../models/contracts/userAgents.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** The agents that the account has hired. */
export function useAgents(signedIn: boolean) {
  return useCall(listUserAgents, signedIn ? {} : null, { poll: POLLS.badge });
}

/** One hired agent, with whether it is working now. */
export function useAgent(id: number) {
  return useCall(getUserAgent, { params: { id } }, { poll: POLLS.agentRecord });
}

/** The workspaces of one agent, newest first. */
export function useWorkspaces(userAgentId: number) {
  return useCall(listWorkspaces, { params: { agentId: userAgentId } }, { poll: POLLS.result });
}

/** Hires an agent and reads the list again. */
export async function hire(agentId: UserAgent['agentId']): Promise<UserAgent> {
  const hired = await call(hireAgent, { body: { agentId } });
  await mutate(urlOf(listUserAgents));
  return hired;
}

/** Completes an agent's onboarding with the chosen tools. */
export async function onboard(agentId: UserAgent['agentId'], tools: string[]): Promise<UserAgent> {
  const onboarded = await call(onboardAgent, { body: { agentId, tools } });
  await mutate(urlOf(getUserAgent, { params: { id: onboarded.id } }), onboarded, { revalidate: false });
  await mutate(urlOf(listUserAgents));
  return onboarded;
}

/** Hires and onboards an agent where that is still to do, with those of its tools that are built in. */
export async function putToWork(agentId: UserAgent['agentId']): Promise<UserAgent> {
  const hired = await hire(agentId);
  if (hired.status === 'onboarded') return hired;
  const tools = findAgent(agentId)?.defaultTools ?? [];
  return onboard(
    agentId,
    tools.filter((id) => findTool(id)?.kind === 'engine'),
  );
}

/** Lets an agent go. @returns how many of its schedules were switched off */
export async function letGo(id: number): Promise<number> {
  const { schedulesSwitchedOff } = await call(letAgentGo, { params: { id } });
  await mutate(urlOf(listUserAgents));
  return schedulesSwitchedOff;
}

/** What an agent may do that changes something. */
export const useAgentActions = (id: number) => useCall(listAgentActions, { params: { id } });

/** Lets an agent use a tool without asking, or has it ask again. */
export async function setAsks(id: number, name: string, asks: boolean): Promise<void> {
  const actions = await call(changeAgentAction, { params: { id, name }, body: { asks } });
  await mutate(urlOf(listAgentActions, { params: { id } }), actions, { revalidate: false });
}

/** Status text of the header. */
export function statusText(agents: readonly UserAgent[]): string {
  const active = agents.filter((agent) => agent.status === 'onboarded').length;
  const waiting = agents.reduce((sum, agent) => sum + agent.pendingInterrupts, 0);
  return `${active} ${active === 1 ? 'agent' : 'agents'} active · ${waiting} waiting`;
}
