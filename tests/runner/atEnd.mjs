const endCallbacks = [];
const restoreCallbacks = [];

/** Registers a function to run once, after the last test file of the process. */
export const atEnd = (end) => void endCallbacks.push(end);

/** Registers a function to run after each test file of the process. */
export const afterEveryFile = (restore) => void restoreCallbacks.push(restore);

/** Resets what the files of this process share, so that nothing leaks into the next file. */
export async function restoreShared() {
  for (const restore of restoreCallbacks) await restore();
}

/** Stops what the files of this process shared, in reverse order of start. */
export async function endAll() {
  for (const end of endCallbacks.splice(0).reverse()) await end();
}
