import { AGENTS } from './catalogue.ts';
import type { WorkStatus } from './catalogueAgent.ts';
import type { ConnectorCard } from './connectorCard.ts';
import { CONNECTORS } from './connectors.ts';

export type CatalogueTool = {
  id: string;
  name: string;
  description: string;
  /** connect: by OAuth; engine: built in, with a switch; none: neither. */
  kind: 'connect' | 'engine' | 'none';
  /** Whether it can be connected or switched on in this version. */
  status: WorkStatus;
};

/** Tools of the specification that no connector or agent provides. */
const WITHOUT_PROVIDER: readonly CatalogueTool[] = [
  { id: 'vercel', name: 'Vercel', description: 'Deployments' },
  { id: 'dalle', name: 'DALL-E', description: 'Pictures' },
  { id: 'unsplash', name: 'Unsplash', description: 'Stock pictures' },
  { id: 'tally', name: 'Tally', description: 'Forms' },
  { id: 'notebooklm', name: 'NotebookLM', description: 'Notebooks' },
  { id: 'patientdatabase', name: 'Patient database', description: 'Patient records' },
].map((tool) => ({ ...tool, kind: 'none', status: 'in-preparation' }));

const connected = CONNECTORS.flatMap(({ tools, status }: ConnectorCard) =>
  tools.map(({ id, name, description }): CatalogueTool => ({ id, name, description, kind: 'connect', status })),
);
const builtIn = AGENTS.flatMap(({ tools = [], status }) =>
  tools.map((tool): CatalogueTool => ({ ...tool, kind: 'engine', status })),
);

/** Every tool: from connectors, from agents, and those without a provider. */
export const TOOLS: readonly CatalogueTool[] = [...connected, ...builtIn, ...WITHOUT_PROVIDER];

const toolsById = new Map(TOOLS.map((tool) => [tool.id, tool]));

/** The tool's entry; undefined for an unknown id. */
export function findTool(id: string): CatalogueTool | undefined {
  return toolsById.get(id);
}

/** A tool's status; null for an unknown id. */
export function toolStatus(id: string): WorkStatus | null {
  return findTool(id)?.status ?? null;
}
