import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { TagTone } from '../../../parts/Tag.tsx';

/** How a finding's level is shown, and its place in a list. */
export const FINDING_LEVELS: Record<Finding['level'], { label: string; tone: TagTone; order: number }> = {
  fix: { label: 'Fix', tone: 'error', order: 0 },
  check: { label: 'Check', tone: 'waiting', order: 1 },
  note: { label: 'Note', tone: 'plain', order: 2 },
};
