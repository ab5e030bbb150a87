/** Does work for each item, as many at once as there are workers. */
export async function inTurn<W, T>(
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
