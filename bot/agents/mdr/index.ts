import { defineInPreparation } from '../../engine/agents/inPreparation.ts';
import { contribute } from './contribute.ts';

/** The regulatory lead's assistant; its check of a technical file is in preparation. */
export const mdr = defineInPreparation('mdr', { contribute });
