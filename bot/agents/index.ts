import { AGENTS } from '../../models/contracts/catalogue.ts';
import type { Agent } from '../engine/agents/agent.ts';
import { defineInPreparation } from '../engine/agents/inPreparation.ts';
import { clinicalSafety } from './clinical_safety/index.ts';
import { designer } from './designer/index.ts';
import { developer } from './developer/index.ts';
import { marketer } from './marketer/index.ts';
import { mdr } from './mdr/index.ts';
import { ops } from './ops/index.ts';
import { outreach } from './outreach/index.ts';
import { professionaliser } from './professionaliser/index.ts';
import { researcher } from './researcher/index.ts';

/** The agents with a folder. */
const OWN = [clinicalSafety, designer, marketer, mdr, ops, outreach, developer, professionaliser, researcher];

/** Every agent of the catalogue. An agent without a folder replies that its work is in preparation. */
export const agents: readonly Agent[] = AGENTS.map(
  ({ id }) => OWN.find((agent) => agent.id === id) ?? defineInPreparation(id),
);
