/** Milliseconds that a request works before others have their turn. */
const TURN_MS = 5;

/** The part of a long request that runs at once, so that requests of other connections do not wait for its end. */
export class Turn {
  private began = performance.now();

  isOver(): boolean {
    return performance.now() - this.began > TURN_MS;
  }

  /** Lets other requests run, and begins the next turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.began = performance.now();
  }
}

/** Items that are sorted at once; runs of them are merged. */
const RUN = 1000;
/** Items that are merged between two looks at the clock. */
const STEPS = 100;

/** Yields where a turn is over. */
type InTurns<T> = Generator<undefined, T>;

type Order<T> = (a: T, b: T) => number;

function* merge<T>(a: T[], b: T[], order: Order<T>, turn?: Turn): InTurns<T[]> {
  const out: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const isFirst = j >= b.length || (i < a.length && order(a[i]!, b[j]!) <= 0);
    out.push(isFirst ? a[i++]! : b[j++]!);
    if (out.length % STEPS === 0 && turn?.isOver()) yield;
  }
  return out;
}

/** Sorts items, equal ones in the order in which they came. */
export function* sortInTurns<T>(items: T[], order: Order<T>, turn?: Turn): InTurns<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(order));
    if (turn?.isOver()) yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i]!, runs[i + 1] ?? [], order, turn));
    runs = merged;
  }
  return runs[0] ?? [];
}
