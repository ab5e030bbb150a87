type Work = () => Promise<void>;

/**
 * Has one thing done at a time for each key, so that a slow call never overtakes a later one. Of what is asked for
 * while one goes on the last counts: it is done after that one, once for all who asked.
 * @returns asks for something; settles with what was done for it, as that did
 */
export function makeLastWord(): (key: string, work: Work) => Promise<void> {
  const going = new Map<string, Promise<void>>();
  const waiting = new Map<string, { work: Work; done: Promise<void> }>();

  function begin(key: string, work: Work): Promise<void> {
    const done = work().finally(() => going.delete(key));
    going.set(key, done);
    return done;
  }

  return (key, work) => {
    const standing = waiting.get(key);
    if (standing) {
      standing.work = work;
      return standing.done;
    }
    const before = going.get(key);
    if (!before) return begin(key, work);
    const last = () => {
      const asked = waiting.get(key);
      waiting.delete(key);
      return begin(key, asked?.work ?? work);
    };
    // One that is refused keeps the next from nothing.
    const done = before.then(last, last);
    waiting.set(key, { work, done });
    return done;
  };
}
