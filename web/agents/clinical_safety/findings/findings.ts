import { useSWRConfig } from 'swr';
import {
  changeFinding,
  commentOnFinding,
  type FindingLife,
  type FindingLives,
  listFindingLives,
} from '../../../../models/contracts/clinical_safety/findingLives.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { call, urlOf } from '../../../data/call.ts';
import { useCall } from '../../../data/useCall.ts';
import type { TagTone } from '../../../parts/Tag.tsx';

/** What people decided and said about the findings of an analysis. */
export const useFindingLives = (id: number) => useCall(listFindingLives, { params: { id } });

export type FindingState = 'open' | 'accepted' | 'fixed' | 'gone' | 'note';

export const FINDING_STATES: Record<FindingState, { label: string; tone: TagTone }> = {
  open: { label: 'Open', tone: 'waiting' },
  accepted: { label: 'Accepted', tone: 'plain' },
  fixed: { label: 'Fixed', tone: 'done' },
  gone: { label: 'Hazard removed', tone: 'plain' },
  note: { label: 'For information', tone: 'outline' },
};

/** How a finding stands: what the next analysis found comes first, then what people decided. */
export function stateOf(finding: Finding, life: FindingLife | undefined, next: FindingLives['next']): FindingState {
  if (finding.level === 'note') return 'note';
  if (next?.fixed.includes(finding.id)) return 'fixed';
  if (next?.gone.includes(finding.id)) return 'gone';
  return life?.accepted?.holds ? 'accepted' : 'open';
}

type Change = { assignTo: number | null } | { accept: string } | { reopen: true };

/** Functions that change a finding and comment on it; both read the findings again, also after a refusal. */
export function useFindingChange(id: number) {
  const { mutate } = useSWRConfig();
  const reading = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      await mutate(urlOf(listFindingLives, { params: { id } }));
    }
  };
  return {
    change: (findingId: string, version: number, change: Change) =>
      reading(call(changeFinding, { params: { id }, body: { findingId, version, change } })),
    comment: (findingId: string, text: string) =>
      reading(call(commentOnFinding, { params: { id }, body: { findingId, text } })),
  };
}
