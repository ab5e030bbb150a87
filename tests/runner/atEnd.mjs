const endings = [];
const restorings = [];

/** Does something once, after the process's last test file. */
export const atEnd = (end) => void endings.push(end);

/** Does something after each test file of the process. */
export const afterEveryFile = (restore) => void restorings.push(restore);

/** Leaves nothing of one file to the next in what they share. */
export async function restoreShared() {
  for (const restore of restorings) await restore();
}

/** Ends what the files of this process shared, the last first. */
export async function endAll() {
  for (const end of endings.splice(0).reverse()) await end();
}
