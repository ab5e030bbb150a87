import { useSWRConfig } from 'swr';
import {
  changeMatchDecision,
  listMatchDecisions,
  type MatchDecisionShown,
} from '../../../../models/contracts/clinical_safety/matchDecisions.ts';
import { call, urlOf } from '../../../data/call.ts';
import { useCall } from '../../../data/useCall.ts';

/** Where the page is. */
export const DECISIONS_PATH = 'matches';
export const DECISIONS_TITLE = 'Decisions on matches';
/** The address of the page with what was decided on one ticket. */
export const decisionsUrlOf = (ticketKey: string): string =>
  `/agents/clinical_safety/${DECISIONS_PATH}?words=${encodeURIComponent(ticketKey)}`;

/** What people decided on tickets and hazards, the latest first. */
export const useMatchDecisions = () => useCall(listMatchDecisions, {});

/** Returns a function that takes a decision back or restores it, and reads what depends on it again. */
export function useDecisionChange() {
  const { mutate } = useSWRConfig();
  return async (
    { id, interruptId }: Pick<MatchDecisionShown, 'id' | 'interruptId'>,
    isTakenBack: boolean,
  ): Promise<MatchDecisionShown> => {
    try {
      return await call(changeMatchDecision, { params: { id }, body: { interruptId, isTakenBack } });
    } finally {
      await mutate(urlOf(listMatchDecisions, {}));
      // The newest result counts the decision.
      void mutate((key) => typeof key === 'string' && key.startsWith('/api/hazard-analysis/'));
    }
  };
}
