import type { Mutant } from './mutants.ts';
import { nearness } from './tests.ts';

/** The mutants that one test file reaches, as cached. A set is one bit per entry of `ids`, in base64. */
export type Reach = {
  hash: string;
  /** The hashes of the sources that it reached. */
  sources: Record<string, string>;
  seconds: number;
  green: boolean;
  /** Whether it passes repeatedly in one process. */
  isRepeatable: boolean;
  ids: string[];
  tests: { title: string; milliseconds: number; reached: string }[];
  /** Reached while a module was loaded. */
  loading: string;
  /** Reached only when the file was the first in its process: code that starts something, or computes a value once. */
  once: string;
};

/** How a test file is run for a mutant. */
export type Way = {
  test: string;
  /** Whether it is reached once per process, as while the product is loaded: the process must start with the mutant. */
  isLoaded: boolean;
  /** Whether tests reach it themselves, and not just their hooks. */
  isDirect: boolean;
  /** The tests that reach it; `null` if the whole file is run. */
  only: string[] | null;
  /** Seconds that these tests took, and that the file took. */
  seconds: number;
  wholeSeconds: number;
  isRepeatable: boolean;
};

/** Test files that take longer are not run again for each mutant. */
export const MAX_REPEATED_SECONDS = 40;

/** A set of numbers below a bound, as bits. */
export function toBits(numbers: Iterable<number>, bound: number): string {
  const bits = Buffer.alloc(Math.ceil(bound / 8));
  for (const number of numbers) bits[number >> 3]! |= 1 << (number & 7);
  return bits.toString('base64');
}
const hasBit = (bits: Buffer, number: number) => ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;

/** Decides how each test file is run for a mutant. */
export function readReach(reach: Map<string, Reach>) {
  const files = [...reach]
    .filter(([, { green, seconds }]) => green && seconds <= MAX_REPEATED_SECONDS)
    .map(([test, it]) => ({
      ...it,
      test,
      places: new Map(it.ids.map((id, place) => [id, place])),
      loading: Buffer.from(it.loading, 'base64'),
      once: Buffer.from(it.once, 'base64'),
      tests: it.tests.map((one) => ({ ...one, reached: Buffer.from(one.reached, 'base64') })),
    }));
  const idsWhere = (isWhere: (file: (typeof files)[number], place: number) => boolean) =>
    new Set(files.flatMap((file) => file.ids.filter((_, place) => isWhere(file, place))));
  const loaded = idsWhere((file, place) => hasBit(file.loading, place));
  const again = idsWhere((file, place) => file.isRepeatable && !hasBit(file.once, place));
  for (const id of idsWhere((file, place) => hasBit(file.once, place))) if (!again.has(id)) loaded.add(id);

  function wayOf(file: (typeof files)[number], id: string): Way[] {
    const place = file.places.get(id);
    if (place === undefined) return [];
    const { test, isRepeatable, seconds: wholeSeconds } = file;
    const isLoaded = loaded.has(id) || hasBit(file.once, place);
    const reaching = file.tests.filter(({ reached }) => hasBit(reached, place));
    const total = (tests: typeof reaching) => tests.reduce((sum, { milliseconds }) => sum + milliseconds / 1000, 0);
    // If its hooks reach the mutant too, every test of the file does.
    const isWhole = isLoaded || reaching.length === 0 || reaching.length === file.tests.length;
    const hooks = Math.max(0, wholeSeconds - total(file.tests));
    return [
      {
        test,
        isLoaded,
        isDirect: reaching.length > 0,
        only: isWhole ? null : reaching.map(({ title }) => title),
        seconds: isWhole ? wholeSeconds : hooks + total(reaching),
        wholeSeconds,
        isRepeatable,
      },
    ];
  }

  /**
   * The ways to run a mutant: the nearest file first, then files whose tests reach it themselves, then the quickest.
   */
  return ({ id, file: source }: Mutant): Way[] =>
    files
      .flatMap((file) => wayOf(file, id).map((way) => ({ way, near: nearness(source, way.test) })))
      .sort(
        (one, other) =>
          other.near - one.near ||
          Number(other.way.isDirect) - Number(one.way.isDirect) ||
          one.way.seconds - other.way.seconds,
      )
      .map(({ way }) => way);
}
