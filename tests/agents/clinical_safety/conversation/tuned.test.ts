/** @environment store */
import { beforeAll, expect, test } from '@jest/globals';
import { OWN_ROWS } from '../../../../bot/agents/clinical_safety/tools/records.ts';
import { openAccountRows } from '../../../../bot/engine/accountRows/openAccountRows.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { type OpenRows, scoreQuestion } from '../../../eval/scoreConversation.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { LABEL_FILES, label } from './labels.ts';
import { fillMadeUpAccount } from './madeUpAccount.ts';
import { readWorlds } from './worlds.ts';

connectTestStore();

/** How many are answered rightly today: what is declined may be answered tomorrow, never the other way round. */
const RIGHT = { tune: 120, tuneMore: 98, seen: 162, thirdTune: 119 };
/** How many are read as what they are. */
const INTENTS = { tune: 123, tuneMore: 118, seen: 164, thirdTune: 119 };

let openRows: OpenRows;
beforeAll(async () => {
  const accountId = nextNumber();
  await fillMadeUpAccount(accountId, nextNumber() * 1000);
  openRows = (line) => runInAccount(accountId, () => openAccountRows(accountId, line, OWN_ROWS));
});

test.each(['tune', 'tuneMore', 'seen', 'thirdTune'] as const)(
  'no question of the set %s is answered wrongly',
  async (set) => {
    const worlds = await readWorlds();
    const scores = await Promise.all(
      label
        .array()
        .parse(LABEL_FILES[set])
        .map((one) => scoreQuestion(worlds, one, openRows)),
    );
    const of = (wanted: string) =>
      scores.filter(({ outcome }) => outcome === wanted).map(({ label: { text } }) => text);
    expect(of('wrong')).toEqual([]);
    expect(of('right').length).toBeGreaterThanOrEqual(RIGHT[set]);
    expect(scores.filter(({ isIntentRight }) => isIntentRight).length).toBeGreaterThanOrEqual(INTENTS[set]);
  },
);
