import type { FileWords, WebAgent } from './agent.ts';
import { clinicalSafety } from './clinical_safety/index.ts';
import { designer } from './designer/index.ts';
import { developer } from './developer/index.ts';
import { professionaliser } from './professionaliser/index.ts';

/** The agents that bring something of their own to the pages, in the order in which it stands. */
export const WEB_AGENTS: readonly WebAgent[] = [clinicalSafety, developer, designer, professionaliser];

/** What an agent brings to the pages; undefined where it brings nothing. */
export const webAgent = (id: string | null | undefined): WebAgent | undefined =>
  WEB_AGENTS.find((agent) => agent.id === id);

/** What files are called by what an agent saw in them. */
export const FILE_KINDS: FileWords['kinds'] = Object.assign({}, ...WEB_AGENTS.map(({ files }) => files?.kinds));
