import { defineInPreparation } from '../../engine/agents/inPreparation.ts';
import { contribute } from './contribute.ts';

/** The medical device agent, which assists a regulatory lead. Its check of a technical file is in preparation. */
export const mdr = defineInPreparation('mdr', { contribute });
