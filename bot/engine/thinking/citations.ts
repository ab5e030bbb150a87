import type { Source } from '../../../models/contracts/chat.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { Result } from './transcript.ts';

/** Most sources that are named of one result. */
const MAX_SOURCES = 5;

type Citations = {
  /** "[2] V-12, sheet Valves, row 7". */
  lines: string[];
  cited: NonNullable<MessageRow['generated']>['sources'];
  /** Those that can be opened. */
  links: Source[];
};

/** The sources of the results that an answer cites, by the number of the result. */
export function citationsOf(text: string, results: readonly Pick<Result, 'sources'>[]): Citations {
  const numbers = new Set(
    [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, listed = '']) => listed.split(',').map(Number)),
  );
  const sources = results.flatMap(({ sources: all }, at) =>
    numbers.has(at + 1) && all.length > 0
      ? [{ number: at + 1, shown: all.slice(0, MAX_SOURCES), more: all.length - MAX_SOURCES }]
      : [],
  );
  return {
    lines: sources.map(
      ({ number, shown, more }) =>
        `[${number}] ${shown.map(({ label }) => label).join('; ')}${more > 0 ? ` and ${more} more` : ''}`,
    ),
    cited: sources.map(({ number, shown }) => ({
      number,
      labels: shown.map(({ label }) => label),
      path: shown.find(({ url }) => url)?.url ?? null,
    })),
    links: sources.flatMap(({ number, shown }) =>
      shown.flatMap(({ label, url }) => (url ? [{ number, label, path: url }] : [])),
    ),
  };
}
