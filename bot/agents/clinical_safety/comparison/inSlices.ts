import { setImmediate as giveWay } from 'node:timers/promises';

/** Items before other work gets its turn; they take a few milliseconds. */
const ITEMS_PER_SLICE = 1000;

/** Maps items in slices, so that a log of ten thousand hazards holds up nobody's message. */
export async function inSlices<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % ITEMS_PER_SLICE === 0) await giveWay();
    made.push(make(item));
  }
  return made;
}
