import { expect, test } from '@jest/globals';
import { scoreQuestion } from '../../../eval/scoreConversation.ts';
import { LABEL_FILES, label } from './labels.ts';
import { readWorlds } from './worlds.ts';

/** How many are answered rightly today: what is declined may be answered tomorrow, never the other way round. */
const RIGHT = { tune: 116, tuneMore: 48 };

test.each(['tune', 'tuneMore'] as const)('no question of the set %s is answered wrongly', async (set) => {
  const worlds = await readWorlds();
  const scores = label
    .array()
    .parse(LABEL_FILES[set])
    .map((one) => scoreQuestion(worlds, one));
  const of = (wanted: string) => scores.filter(({ outcome }) => outcome === wanted).map(({ label: { text } }) => text);
  expect(of('wrong')).toEqual([]);
  expect(of('right').length).toBeGreaterThanOrEqual(RIGHT[set]);
});
