import { choicesAt, meaning, type Reading, skipFill } from './reading.ts';

const ONLY = new Set(['only', 'just']);
const ASKING = new Set(['do', 'does', 'are', 'is', 'have', 'has']);

/**
 * "Only" where it limits nothing further: at the end, or before a value, of which a row has one. "Have only design
 * controls" says that there are no others, and "not only open" names some of them: neither is understood.
 */
export function readOnly<Row>(reading: Reading<Row>): boolean {
  const { at, tokens, waits } = reading;
  if (!ONLY.has(tokens[at]?.words ?? '') || waits.have || waits.lack || waits.not) return false;
  // "Do only open valves leak?" asks of the others.
  if (at === 1 && ASKING.has(tokens[0]?.words ?? '')) return false;
  const next = skipFill(reading, at + 1);
  const isBeforeValue = (['value', 'owned', 'flag'] as const).some((kind) => meaning(reading, next, kind));
  const isBeforeName = choicesAt(reading, next, 'before').some((field) =>
    choicesAt(reading, skipFill(reading, next + 1), 'value').includes(field),
  );
  const isLast = at === tokens.length - 1 && reading.parts.length > 0 && !waits.joins;
  if (!isLast && !isBeforeValue && !isBeforeName) return false;
  reading.at += 1;
  return true;
}
