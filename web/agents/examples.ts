import type { ComponentType } from 'react';
import { Example } from './clinical_safety/Example.tsx';

/** Example results for visitors. Listed apart from the agents, so that the landing page loads no agent code. */
export const EXAMPLES: readonly ComponentType[] = [Example];
