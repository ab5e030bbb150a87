import { FINDING_LEVEL_NAMES } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { TagTone } from '../../../parts/Tag.tsx';

/** How a finding's level is shown, and its place in a list. */
export const FINDING_LEVELS: Record<Finding['level'], { label: string; tone: TagTone; order: number }> = {
  fix: { label: FINDING_LEVEL_NAMES.fix, tone: 'error', order: 0 },
  check: { label: FINDING_LEVEL_NAMES.check, tone: 'waiting', order: 1 },
  note: { label: FINDING_LEVEL_NAMES.note, tone: 'plain', order: 2 },
};
