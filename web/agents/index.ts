import type { FileWords, WebAgent } from './agent.ts';
import { clinicalSafety } from './clinical_safety/index.ts';
import { designer } from './designer/index.ts';
import { developer } from './developer/index.ts';
import { marketer } from './marketer/index.ts';
import { mdr } from './mdr/index.ts';
import { ops } from './ops/index.ts';
import { outreach } from './outreach/index.ts';
import { professionaliser } from './professionaliser/index.ts';
import { researcher } from './researcher/index.ts';

/** The agents with their own parts of the pages, in display order. */
export const WEB_AGENTS: readonly WebAgent[] = [
  clinicalSafety,
  mdr,
  developer,
  designer,
  marketer,
  ops,
  outreach,
  professionaliser,
  researcher,
];

/** An agent's parts of the pages; undefined if it has none. */
export const webAgent = (id: string | null | undefined): WebAgent | undefined =>
  WEB_AGENTS.find((agent) => agent.id === id);

/** Display names of all agents' kinds of file. */
export const FILE_KINDS: FileWords['kinds'] = Object.assign({}, ...WEB_AGENTS.map(({ files }) => files?.kinds));
