import type { AgentId, CatalogueAgent, Schedule } from './catalogueAgent.ts';
import { clinicalSafetyCard } from './clinical_safety/card.ts';
import { designerCard } from './designer/card.ts';
import { developerCard } from './developer/card.ts';
import { marketerCard } from './marketer/card.ts';
import { mdrCard } from './mdr/card.ts';
import { opsCard } from './ops/card.ts';
import { outreachCard } from './outreach/card.ts';
import { professionaliserCard } from './professionaliser/card.ts';
import { researcherCard } from './researcher/card.ts';

export const AGENTS: readonly CatalogueAgent[] = [
  mdrCard,
  clinicalSafetyCard,
  developerCard,
  designerCard,
  marketerCard,
  outreachCard,
  opsCard,
  researcherCard,
  professionaliserCard,
];

const agentsById = new Map(AGENTS.map((agent) => [agent.id, agent]));

/** The agent's card; undefined for an unknown id. */
export function findAgent(id: string): CatalogueAgent | undefined {
  return agentsById.get(id as AgentId);
}

/** Whether the agent does its own work in this version. */
export const isWorking = (id: string): boolean => findAgent(id)?.status === 'working';

/** Work that can be scheduled, in the agents' order. */
export const SCHEDULES: readonly Schedule[] = AGENTS.flatMap(({ schedules = [] }) => schedules);

/** The scheduled work of an action; undefined where no agent offers it. */
export const findSchedule = (action: string): Schedule | undefined => SCHEDULES.find((it) => it.action === action);

/** The agents that work in this version. */
export const WORKING_AGENTS = AGENTS.filter(({ status }) => status === 'working');
