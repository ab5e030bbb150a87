import { makeEntry, makeTicket } from './age.ts';

/** Made while this file is loaded, which is once in a process. */
export const entry = makeEntry();

let kept: ReturnType<typeof makeTicket> | undefined;

/** Made when it is asked for first. */
export function ticket() {
  kept ??= makeTicket();
  return kept;
}
