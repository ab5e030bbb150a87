/** @environment store */
import { describe, expect, test } from '@jest/globals';
import { answerInWords } from '../../../bot/engine/turns/answerInWords.ts';
import { listWaiting } from '../../../bot/engine/turns/channelCommands.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Member } from '../../../models/member.ts';
import { Message } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { User } from '../../../models/user.ts';
import { nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { connectTalk, refusal } from '../../factories/talk.ts';
import { inEveryAccount, keepTurn, makePlace } from '../../factories/turns.ts';

let accountId: number;
let who: Who;
const { open, makeTurn } = connectTalk((made) => {
  ({ accountId, who } = made);
});

describe('a message as an answer', () => {
  const ask = async (conversation: ConversationRow, more: Partial<InterruptRow> = {}) => {
    const row = makeInterrupt({
      _id: nextNumber(),
      accountId,
      askKey: String(nextNumber()),
      conversationId: conversation._id,
      createdAt: new Date(Date.now() - 1000),
      ...more,
    });
    await inEveryAccount(() => Interrupt.create(row));
    announce(accountId, ['interrupts']);
    return row;
  };
  const join = async () => {
    const { userId, email } = who;
    await User.create({ _id: userId, email, firstName: 'Ada', lastName: 'Okafor', emailVerified: true });
    await Member.create({ accountId, userId, roles: ['owner'] });
  };
  const outcomeOf = async ({ _id }: InterruptRow) =>
    requireRow(await inEveryAccount(() => Interrupt.findOne({ _id }).lean())).resolution?.outcome ?? null;
  const hear = async (conversation: ConversationRow, more: Partial<TurnRow> = {}) => {
    const turn = await keepTurn(makeTurn(conversation, more));
    return inEveryAccount(() => answerInWords(turn, conversation));
  };

  const options = ['Keep', { id: 'Drop', label: 'Drop it', action: 'x' }];
  test.each<[type: InterruptRow['interruptType'], text: string, outcome: string | null]>([
    ['approval', 'yes', 'approved'],
    ['approval', ' Yes! ', 'approved'],
    ['approval', 'approve', 'approved'],
    ['approval', 'Approved.', 'approved'],
    ['approval', 'accept it', 'approved'],
    ['approval', 'approve everything', 'approved'],
    ['approval', 'oh yes', null],
    ['approval', 'no', 'rejected'],
    ['approval', 'Refuse them!', 'rejected'],
    ['approval', 'decline.', 'rejected'],
    ['approval', 'reject all', 'rejected'],
    ['approval', 'yesterday', null],
    ['approval', 'No: the owner is missing', 'rejected'],
    ['approval', 'reject it because H3 has no owner', 'rejected'],
    ['approval', 'Declined – see H3', 'rejected'],
    ['approval', 'Nobody: no', null],
    ['hazard_review', 'approve all', 'approved'],
    ['hazard_review', 'Accept everything.', 'approved'],
    ['hazard_review', 'approve all rows', 'approved'],
    ['hazard_review', 'reject all', 'rejected'],
    ['hazard_review', 'please reject all', null],
    ['decision', 'keep', 'answered'],
    ['decision', 'drop', null],
    ['decision', 'yes', null],
    ['input', 'yes', 'answered'],
    ['input', 'Priya Nair owns it, since March.', 'answered'],
    ['input', `Priya Nair. ${'So it says. '.repeat(40)}`, 'answered'],
    ['input', 'x'.repeat(8001), null],
    ['input', 'help', null],
    ['input', 'Cancel!', null],
    ['input', 'Who asked for that?', null],
    ['made_up', 'Seven', 'answered'],
  ])('%s: %j is %s', async (interruptType, text, outcome) => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType, options: interruptType === 'decision' ? options : [] });
    expect(await hear(conversation, { text })).toBe(outcome !== null);
    expect(await outcomeOf(row)).toBe(outcome);
  });

  test('that rejects with a reason records the reason', async () => {
    await join();
    const conversation = await open();
    const { _id } = await ask(conversation);
    expect(await hear(conversation, { text: 'no, because the owner of H3\nis missing.' })).toBe(true);
    expect(await inEveryAccount(() => Interrupt.findOne({ _id }).lean())).toMatchObject({
      resolution: { outcome: 'rejected', reason: 'the owner of H3\nis missing.' },
    });
  });

  test.each<[type: InterruptRow['interruptType'], text: string, phrases: string]>([
    ['approval', 'yes but later', 'Say “approve”, “reject”, or “reject:” with your reason.'],
    ['approval', 'No, add a reason', 'Say “approve”, “reject”, or “reject:” with your reason.'],
    ['approval', 'no: ', 'Say “approve”, “reject”, or “reject:” with your reason.'],
    ['hazard_review', 'approve', 'Say “approve all” or “reject all”, or open the review to decide row by row.'],
    ['hazard_review', 'reject', 'Say “approve all” or “reject all”, or open the review to decide row by row.'],
  ])('%s: %j is not recorded, and the reply says what answers', async (interruptType, text, phrases) => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType });
    await expect(hear(conversation, { text })).rejects.toMatchObject({
      code: 'not_available',
      message: `I couldn’t tell whether that is your answer, so I recorded nothing. ${phrases}`,
    });
    expect(await outcomeOf(row)).toBeNull();
  });

  test('that only begins like an answer goes to the agent where it asks, or where the question waits elsewhere', async () => {
    await join();
    const conversation = await open();
    await ask(conversation);
    expect(await hear(conversation, { text: 'No, why should I?' })).toBe(false);
    expect(await hear(await open(), { text: 'No, add a reason' })).toBe(false);
  });

  test('in any form answers a single pending question for words, and nothing else', async () => {
    await join();
    const conversation = await open();
    const elsewhere = await ask(await open());
    const row = await ask(conversation, { interruptType: 'input' });
    const approval = await ask(conversation);
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    expect(await hear(conversation, { text: 'Yes please' })).toBe(true);
    expect(await outcomeOf(approval)).toBe('approved');
    announce(accountId, ['interrupts']);
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(true);
    expect(await inEveryAccount(() => Interrupt.findOne({ _id: row._id }).lean())).toMatchObject({
      userResponse: { userInput: 'Priya Nair' },
    });
    expect(await outcomeOf(elsewhere)).toBeNull();
  });

  test('with a task answers nothing: it is for the agent that was given the task', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    expect(await hear(conversation, { text: 'approve', taskFor: nextNumber() })).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
    expect(await hear(conversation, { text: 'approve', taskFor: null })).toBe(true);
    expect(await outcomeOf(row)).toBe('approved');
  });

  test('of somebody who may not answer is for the agent, unless it has the form of an answer', async () => {
    await join();
    await Member.updateOne({ accountId, userId: who.userId }, { $set: { roles: ['member'] } });
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input' });
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('answers neither of two questions for words', async () => {
    await join();
    const conversation = await open();
    const rows = [
      await ask(conversation, { interruptType: 'input' }),
      await ask(conversation, { interruptType: 'input' }),
    ];
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    for (const row of rows) expect(await outcomeOf(row)).toBeNull();
  });

  test('with files is about the files', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input' });
    const files = [{ fileId: 'F1', name: 'log.xlsx' }];
    expect(await hear(conversation, { text: 'Here is our log', files })).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('sent before a question for words does not answer it, nor does one of another conversation', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input', createdAt: new Date(Date.now() + 60_000) });
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    expect(await hear(await open(), { text: 'Priya Nair' })).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('is confirmed in its conversation, in words that may be sent', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { prompt: 'Drop St Mary?' });
    const turn = await keepTurn(makeTurn(conversation));
    await inEveryAccount(() => answerInWords(turn, conversation));
    const reference = `Recorded your answer to question ${row._id}.`;
    expect(await inEveryAccount(() => Message.find({ accountId }).lean())).toMatchObject([
      {
        key: `turn:${turn._id}:answered`,
        messageType: 'system',
        text: 'Recorded your answer to: Drop St Mary?',
        derived: { redacted: reference, reference },
        card: { interruptId: row._id },
      },
    ]);
    expect(await inEveryAccount(() => Turn.findById(turn._id).lean())).toMatchObject({ answers: row._id });
  });

  test.each<[what: string, more: Partial<TurnRow>]>([
    ['between people', { manner: 'overheard' }],
    ['forwarded', { manner: 'handed-over' }],
    ['from an unknown person', { speaker: { userId: null, platformId: 'U1', name: 'x' } }],
    ['from somebody who is not a member', { speaker: { userId: 1, platformId: null, name: 'x' } }],
    ['older than the question', { createdAt: new Date(Date.now() - 60_000) }],
    ['too long', { text: `yes${'!'.repeat(198)}` }],
  ])('signs nothing if it is %s', async (_what, more) => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    expect(await hear(conversation, more)).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('sent at the moment of the question answers it', async () => {
    await join();
    const conversation = await open();
    const createdAt = new Date();
    const row = await ask(conversation, { createdAt });
    expect(await hear(conversation, { createdAt })).toBe(true);
    expect(await outcomeOf(row)).toBe('approved');
    const words = await ask(conversation, { createdAt, interruptType: 'input' });
    expect(await hear(conversation, { createdAt, text: 'Priya Nair' })).toBe(true);
    expect(await outcomeOf(words)).toBe('answered');
  });

  test('of only spaces answers nothing, and others are trimmed', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input' });
    expect(await hear(conversation, { text: '   ' })).toBe(false);
    expect(await hear(conversation, { text: '  Priya Nair ' })).toBe(true);
    expect(await inEveryAccount(() => Interrupt.findOne({ _id: row._id }).lean())).toMatchObject({
      userResponse: { userInput: 'Priya Nair' },
    });
  });

  test('that could answer two questions of its conversation answers neither, and asks which', async () => {
    await join();
    const conversation = await open();
    const [older, newer] = [await ask(conversation), await ask(conversation)];
    await expect(hear(conversation)).rejects.toMatchObject({
      code: 'not_available',
      message: expect.stringContaining('More than one question waits here'),
    });
    expect([await outcomeOf(older), await outcomeOf(newer)]).toEqual([null, null]);
  });

  test('is matched with the fifty newest questions of the account', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    const others = Array.from({ length: 50 }, () =>
      makeInterrupt({ _id: nextNumber(), accountId, askKey: String(nextNumber()), conversationId: null }),
    );
    await inEveryAccount(() => Interrupt.insertMany(others.slice(1)));
    announce(accountId, ['interrupts']);
    expect(await hear(conversation)).toBe(true);
    expect(await outcomeOf(row)).toBe('approved');
    await inEveryAccount(() =>
      Interrupt.updateOne({ _id: row._id }, { $set: { status: 'pending', resolution: null } }),
    );
    await inEveryAccount(() => Interrupt.create(others[0]!));
    announce(accountId, ['interrupts']);
    expect(await hear(conversation)).toBe(false);
  });

  test('that is too long for yes or no answers a question for words in its conversation', async () => {
    await join();
    const address = makePlace();
    const [here, there] = [
      await open({ ...address, thread: '1' }, true),
      await open({ ...address, thread: '2' }, true),
    ];
    const [words, approval] = [await ask(here, { interruptType: 'input' }), await ask(there)];
    expect(await hear(here, { text: `yes${'!'.repeat(198)}` })).toBe(true);
    expect([await outcomeOf(words), await outcomeOf(approval)]).toEqual(['answered', null]);
  });

  test('may have two hundred characters', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    expect(await hear(conversation, { text: `yes${'!'.repeat(197)}` })).toBe(true);
    expect(await outcomeOf(row)).toBe('approved');
  });

  test('answers a question of its conversation, or else of its siblings, and never one of several', async () => {
    await join();
    const address = makePlace();
    const [here, there, third] = [
      await open({ ...address, thread: '1' }, true),
      await open({ ...address, thread: '2' }, true),
      await open({ ...address, thread: '3' }, true),
    ];
    const elsewhere = await ask(await open());
    const [mine, theirs] = [await ask(here), await ask(there)];
    await expect(hear(third)).rejects.toEqual(refusal('not_available'));
    expect(await hear(here)).toBe(true);
    expect([await outcomeOf(mine), await outcomeOf(theirs)]).toEqual(['approved', null]);
    announce(accountId, ['interrupts']);
    expect(await hear(third)).toBe(true);
    expect([await outcomeOf(theirs), await outcomeOf(elsewhere)]).toEqual(['approved', null]);
    expect(await hear(third)).toBe(false);
  });

  test('answers a question that it fits, whatever was asked later', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    const later = [await ask(conversation, { interruptType: 'decision', options }), await ask(await open())];
    expect(await hear(conversation)).toBe(true);
    expect(await Promise.all([row, ...later].map(outcomeOf))).toEqual(['approved', null, null]);
  });

  test('that is processed again answers the same question as before, and no other', async () => {
    await join();
    const conversation = await open();
    const [before, later] = [await ask(conversation), await ask(conversation)];
    expect(await hear(conversation, { answers: before._id })).toBe(true);
    expect([await outcomeOf(before), await outcomeOf(later)]).toEqual(['approved', null]);
    // Another process recorded it after this one had read the turn.
    const next = await ask(conversation, { interruptType: 'decision', options });
    const turn = await keepTurn(makeTurn(conversation, { answers: later._id }));
    expect(await inEveryAccount(() => answerInWords({ ...turn, answers: null }, conversation))).toBe(true);
    expect([await outcomeOf(later), await outcomeOf(next)]).toEqual(['approved', null]);
    const theirs = await ask(conversation, { accountId: nextNumber() });
    expect(await hear(conversation, { answers: theirs._id })).toBe(false);
  });

  test('pending questions are listed for commands, newest first', async () => {
    const conversation = await open();
    const [one, two] = [await ask(conversation), await ask(conversation)];
    await ask(conversation, { status: 'cancelled' });
    expect((await inEveryAccount(() => listWaiting(who))).map((it) => it.id)).toEqual([two._id, one._id]);
  });
});
