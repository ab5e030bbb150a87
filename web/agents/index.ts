import type { WebAgent } from './agent.ts';
import { clinicalSafety } from './clinical_safety/index.ts';
import { designer } from './designer/index.ts';

/** The agents that bring something of their own to the pages, in the order in which it stands. */
export const WEB_AGENTS: readonly WebAgent[] = [clinicalSafety, designer];

/** What an agent brings to the pages; undefined where it brings nothing. */
export const webAgent = (id: string | null): WebAgent | undefined => WEB_AGENTS.find((agent) => agent.id === id);

/** How files are asked for: as the first agent does that takes any. */
export const FILES = WEB_AGENTS.find(({ files }) => files)?.files;
