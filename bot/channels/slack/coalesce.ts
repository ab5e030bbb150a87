type Work = () => Promise<void>;

/**
 * Runs one piece of work at a time for each key, so that a slow call never overwrites the result of a later one. Of the
 * work requested meanwhile only the latest runs, once for all who requested it.
 * @returns requests work; the promise settles with the work that ran for the request
 */
export function makeCoalescer(): (key: string, work: Work) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, { work: Work; done: Promise<void> }>();

  function begin(key: string, work: Work): Promise<void> {
    const done = work().finally(() => running.delete(key));
    running.set(key, done);
    return done;
  }

  return (key, work) => {
    const queued = waiting.get(key);
    if (queued) {
      queued.work = work;
      return queued.done;
    }
    const before = running.get(key);
    if (!before) return begin(key, work);
    const runNext = () => {
      const latest = waiting.get(key);
      waiting.delete(key);
      return begin(key, latest?.work ?? work);
    };
    // A rejected call must not block the next one.
    const done = before.then(runNext, runNext);
    waiting.set(key, { work, done });
    return done;
  };
}
