import { AGENTS } from './catalogue.ts';
import type { WorkStatus } from './catalogueAgent.ts';
import type { ConnectorCard } from './connectorCard.ts';
import { CONNECTORS } from './connectors.ts';

export type CatalogueTool = {
  id: string;
  name: string;
  description: string;
  /** connect: through OAuth; engine: built in, the switch gates it; none: neither. */
  kind: 'connect' | 'engine' | 'none';
  /** Whether it has something to connect to or to switch on in this version. */
  status: WorkStatus;
};

/** Tools of the specification that nothing brings: there is nothing to connect and nothing to switch. */
const NOT_BROUGHT: readonly CatalogueTool[] = [
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

/** The tools that agents use, by what brings them: a connector, an agent, or nothing. */
export const TOOLS: readonly CatalogueTool[] = [...connected, ...builtIn, ...NOT_BROUGHT];

const toolsById = new Map(TOOLS.map((tool) => [tool.id, tool]));

/** The catalogue's entry; undefined for an id that is not in it. */
export function findTool(id: string): CatalogueTool | undefined {
  return toolsById.get(id);
}

/** Whether a tool works in this version; null for what is no tool of the catalogue. */
export function toolStatus(id: string): WorkStatus | null {
  return findTool(id)?.status ?? null;
}
