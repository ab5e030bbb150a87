import { defineInPreparation } from '../../engine/agents/inPreparation.ts';
import { calls } from './calls.ts';

/** The full-stack developer. Its work is in preparation; its calls of the specification say so. */
export const developer = defineInPreparation('developer', { calls });
