import { SAYS_PRESENT } from './grammar.ts';
import { fieldAt, meaning, type Reading, skipFill } from './reading.ts';

const PAST = new Set(['was', 'were', 'did', 'had', 'got']);
/** How many words may stand between "did" and its verb: "did not Ann Lee add". */
const MAX_BETWEEN = 3;

/** "Was", "were" and "did" before what has happened anyway: "were not added by", "did Ann Lee add". */
export function readPast<Row>(reading: Reading<Row>): boolean {
  const { at, tokens } = reading;
  if (!PAST.has(tokens[at]?.words ?? '')) return false;
  const next = tokens.slice(at + 1, at + 2 + MAX_BETWEEN);
  const isOfPast = next.some(({ meanings }) => meanings.some((one) => 'field' in one && one.field.isPast));
  if (isOfPast) reading.at += 1;
  return isOfPast;
}

/** "A named owner": such a word says no more than that there is one. */
export function readPresent<Row>(reading: Reading<Row>): boolean {
  const { at, tokens, waits } = reading;
  if (!SAYS_PRESENT.has(tokens[at]?.words ?? '') || !(waits.lack || waits.have)) return false;
  if (!fieldAt(reading, skipFill(reading, at + 1)) || meaning(reading, at, 'number')) return false;
  reading.at += 1;
  return true;
}
