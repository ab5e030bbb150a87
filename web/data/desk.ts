import { readDesk, searchEverything } from '../../models/contracts/desk.ts';
import { LIMITS, POLLS } from '../../models/contracts/limits.ts';
import { useCall } from './useCall.ts';

/** What waits for the person, the newest result and the next scheduled run. */
export function useDesk() {
  return useCall(readDesk, {}, { poll: POLLS.jobs });
}

/** What the server finds for some words; reads nothing while there are too few characters. */
export function useSearch(words: string) {
  const text = words.trim().slice(0, LIMITS.search.max);
  return useCall(searchEverything, text.length < LIMITS.search.min ? null : { query: { words: text } });
}
