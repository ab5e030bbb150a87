import { makeEntry, makeTicket } from './age.ts';

/** Created when this file is loaded, once per process. */
export const entry = makeEntry();

let kept: ReturnType<typeof makeTicket> | undefined;

/** Created on first use. */
export function ticket() {
  kept ??= makeTicket();
  return kept;
}
