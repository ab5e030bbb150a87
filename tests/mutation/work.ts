/** Processes the items with a limited number of workers at once. */
export async function runWithWorkers<W, T>(
  workers: W[],
  items: Iterable<T>,
  work: (item: T, worker: W) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  await Promise.all(
    workers.map(async (worker) => {
      for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value, worker);
    }),
  );
}
