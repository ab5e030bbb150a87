/** @environment store */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { stopInWords } from '../../../bot/engine/turns/stopInWords.ts';
import { registerWorkflow } from '../../../bot/engine/workflows/workflow.ts';
import type { Manner } from '../../../models/contracts/turn.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { RunRow } from '../../../models/run.ts';
import type { TurnRow } from '../../../models/turn.ts';
import { User } from '../../../models/user.ts';
import { nextNumber } from '../../factories/account.ts';
import { keepRun, makeRun, readRun } from '../../factories/runs.ts';
import { connectTalk } from '../../factories/talk.ts';
import { inEveryAccount, makePlace, readMessages } from '../../factories/turns.ts';

let accountId: number;
let who: Who;
const { open, makeTurn } = connectTalk((made) => {
  ({ accountId, who } = made);
});
beforeAll(() =>
  registerWorkflow({
    ...{ name: 'stoppable', title: 'Shared', first: 'one', reserve: 0 },
    steps: { one: { label: 'First', run: async () => ({ done: { output: 'done' } }) } },
  }),
);
beforeEach(async () => {
  await User.create({ _id: who.userId, email: who.email, firstName: 'Ada', lastName: 'O', emailVerified: true });
  await Member.create({ accountId, userId: who.userId, roles: ['member'] });
});

const run = (conversation: ConversationRow, more: Partial<RunRow> = {}) =>
  keepRun(makeRun({ accountId, workflow: 'stoppable', conversationId: conversation._id, userId: who.userId, ...more }));
const say = (conversation: ConversationRow, text: string, more: Partial<TurnRow> = {}) =>
  inEveryAccount(() => stopInWords(makeTurn(conversation, { text, ...more }), conversation, 'clinical_safety'));
const isStopped = async (row: RunRow) => (await readRun(row)).cancelRequested;

describe('a person who says “stop”', () => {
  test.each(['Stop', 'please stop!', 'cancel the analysis', 'Clara, stop now'])(
    '“%s” stops their work',
    async (text) => {
      const conversation = await open();
      const going = await run(conversation);
      expect(await say(conversation, text)).toBe(true);
      expect(await isStopped(going)).toBe(true);
    },
  );

  test.each(['stop the schedule', 'cancel the review', 'stop using red', 'Is it time to stop?'])(
    '“%s” stops none of it',
    async (text) => {
      const conversation = await open();
      const going = await run(conversation);
      expect(await say(conversation, text)).toBe(false);
      expect(await isStopped(going)).toBe(false);
    },
  );

  test('stops no question that waits, nothing of a colleague, of another place or of another company', async () => {
    const conversation = await open();
    const rows = [
      await run(conversation, { status: 'waiting' }),
      await run(conversation, { userId: nextNumber() }),
      await run(await open()),
      await run(conversation, { accountId: nextNumber() }),
    ];
    expect(await say(conversation, 'stop')).toBe(false);
    expect(await Promise.all(rows.map(isStopped))).toEqual([false, false, false, false]);
    expect(await readMessages(accountId)).toEqual([]);
  });

  test('reaches the thread beside theirs in a one-to-one chat, where each message begins one', async () => {
    const place = makePlace({ conversation: `D${nextNumber()}` });
    const chat = await open(place, true);
    const [one, other] = [await open({ ...place, thread: '1' }, true), await open({ ...place, thread: '2' }, true)];
    expect(String(one.placeId)).toBe(String(chat._id));
    const going = await run(one);
    expect(await say(other, 'stop')).toBe(true);
    expect(await isStopped(going)).toBe(true);
  });

  test.each<Manner>(['overheard', 'handed-over'])('has to say it themselves and to the agent: %s', async (manner) => {
    const conversation = await open();
    const going = await run(conversation);
    expect(await say(conversation, 'stop', { manner })).toBe(false);
    const speaker = { userId: null, platformId: 'U9', name: 'Guest' };
    expect(await say(conversation, 'stop', { speaker })).toBe(false);
    expect(await isStopped(going)).toBe(false);
  });
});
