import type { Addition } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { counted } from '../counted.ts';

const KINDS: readonly Addition['as'][] = ['cause', 'control'];

/** "3 causes", "1 cause and 2 controls": each kind that was added; empty where none was. */
export const describeAdded = (added: readonly { as: 'hazard' | Addition['as']; count: number }[]): string =>
  KINDS.flatMap((kind) => {
    const count = added.reduce((sum, one) => (one.as === kind ? sum + one.count : sum), 0);
    return count > 0 ? [counted(count, kind)] : [];
  }).join(' and ');

/** "cause", "control", or "cause or control" where both were added. */
export const nameKinds = (added: readonly Addition['as'][]): string =>
  KINDS.filter((kind) => added.includes(kind)).join(' or ');
