const endings = [];

/** Does something once, after the process's last test file. */
export const atEnd = (end) => void endings.push(end);

/** Ends what the files of this process shared, the last first. */
export async function endAll() {
  for (const end of endings.splice(0).reverse()) await end();
}
