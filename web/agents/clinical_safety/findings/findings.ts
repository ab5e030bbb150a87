import { useSWRConfig } from 'swr';
import {
  changeFinding,
  commentOnFinding,
  listFindingLives,
} from '../../../../models/contracts/clinical_safety/findingLives.ts';
import { FINDING_STATE_NAMES, type FindingState } from '../../../../models/contracts/clinical_safety/findingState.ts';
import { call, urlOf } from '../../../data/call.ts';
import { useCall } from '../../../data/useCall.ts';
import type { TagTone } from '../../../parts/Tag.tsx';

/** What people decided and said about the findings of an analysis. */
export const useFindingLives = (id: number) => useCall(listFindingLives, { params: { id } });

export const FINDING_STATES: Record<FindingState, { label: string; tone: TagTone }> = {
  open: { label: FINDING_STATE_NAMES.open, tone: 'waiting' },
  accepted: { label: FINDING_STATE_NAMES.accepted, tone: 'plain' },
  fixed: { label: FINDING_STATE_NAMES.fixed, tone: 'done' },
  gone: { label: FINDING_STATE_NAMES.gone, tone: 'plain' },
  note: { label: FINDING_STATE_NAMES.note, tone: 'outline' },
};

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
