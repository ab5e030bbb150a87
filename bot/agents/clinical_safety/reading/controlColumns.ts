import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';

/** The columns of further controls, whatever kind of control they are for. */
export const CONTROL_COLUMNS = [
  'control_text',
  'control_design',
  'control_test',
  'control_training',
  'control_business',
] as const satisfies readonly CanonicalColumn[];
