export type Sample = { log: { fileName: string; bytes: Uint8Array }; tickets: { fileName: string; bytes: Uint8Array } };

/** The product's own sample: a fictional e-prescribing product's log and tickets. Fresh bytes at every call. */
export async function readSample(): Promise<Sample> {
  throw new Error('Not yet built.');
}
