/** @environment store */
import { describe, expect, test } from '@jest/globals';
import type { Draft, Sending } from '../../../bot/engine/delivery/channel.ts';
import { cancelRun } from '../../../bot/engine/workflows/cancelRun.ts';
import { executeRun } from '../../../bot/engine/workflows/executeRun.ts';
import { viewProgress } from '../../../bot/engine/workflows/progress.ts';
import { Account } from '../../../models/account.ts';
import { Message } from '../../../models/message.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { changes } from '../../../models/store/revisions.ts';
import { eventually } from '../../factories/person.ts';
import { readRun } from '../../factories/runs.ts';
import { connectThinking } from '../../factories/thinking.ts';
import { connectChannel, inEveryAccount } from '../../factories/turns.ts';
import { makeWho } from '../../factories/who.ts';
import type { Behaviour } from '../../fakes/model/behaviour.ts';

const it = connectThinking();
const look: Behaviour = { calls: [{ name: 'look', input: { at: 'V1' } }] };
const FIRST = 'Two valves are open [1].';
const WHOLE = `${FIRST} V1 leaks a lot now [1]. V1 has a wear of 4 now [1].`;
const SLOW: Behaviour = { text: WHOLE, pause: 200 };
/** Each sentence is finished well after the one before was shown. */
const SLOWER: Behaviour = { text: WHOLE, pause: 700 };

/** Connects a channel that shows drafts, and keeps what it was given. */
function connectDrafts(show: (draft: Draft, sending: Sending) => Promise<Record<string, unknown>>) {
  const seen = { drafts: [] as Draft[], ended: [] as unknown[], references: [] as unknown[] };
  connectChannel({
    async showDraft(_conversation, draft, sending) {
      seen.drafts.push(draft);
      return show(draft, sending);
    },
    endDraft: async (_conversation, reference) => void seen.ended.push(reference),
    async say(_conversation, _message, { reference }) {
      seen.references.push(reference);
      return reference;
    },
  });
  return seen;
}
const STEPS = ['Thinking', 'Looking at a valve', 'Thinking', 'Writing'];
const textsOf = ({ drafts }: { drafts: Draft[] }) => drafts.map(({ text }) => text);
const sent = async (seen: { references: unknown[] }) => eventually(async () => seen.references.length > 0, 'a message');

describe('an answer that is written', () => {
  test('is shown as it grows, each text beginning with the one before, and its message gets what was shown', async () => {
    const seen = connectDrafts(async ({ text }) => ({ shown: text.length }));
    await it.think([look, SLOWER]);
    await sent(seen);
    const texts = textsOf(seen);
    expect(texts.filter(Boolean).length).toBeGreaterThan(1);
    for (const [at, text] of texts.entries()) {
      expect(text.startsWith(texts[at - 1] ?? '')).toBe(true);
      expect(WHOLE.startsWith(text)).toBe(true);
    }
    expect(seen.drafts[0]).toEqual({
      steps: ['Thinking'],
      text: '',
      agentId: 'clinical_safety',
      agentName: 'Clara',
    });
    expect(seen.references).toEqual([{ shown: texts.at(-1)?.length }]);
  });

  test('is kept for other processes while it is written, announced to them, and no longer when it is sent', async () => {
    const seen = connectDrafts(async () => ({}));
    const announced: unknown[] = [];
    const note = (...told: unknown[]) => void announced.push(told);
    changes.on('pushed', note);
    it.says = [look, SLOWER];
    const run = await it.begin();
    const over = executeRun(run, it.place().conversation);
    const said = (row: RunRow) => viewProgress(row, it.workflow as never).said;
    const elsewhere = { ...(await eventually(async () => keptIn(run), 'the draft')), _id: 'elsewhere' as never };
    expect(said(elsewhere)).toBe(FIRST);
    expect(said({ ...elsewhere, status: 'waiting' })).toBeUndefined();
    await over;
    changes.off('pushed', note);
    await sent(seen);
    expect((await readRun(run)).draft).toBeNull();
    expect(announced).toContainEqual([run.accountId, ['chat']]);
    // Once a second at most: the answer takes about two.
    expect(announced.length).toBeLessThan(5);
  });
  const keptIn = async (run: RunRow) => {
    const row = await readRun(run);
    return row.draft?.said === FIRST ? row : null;
  };

  test.each<[consent: 'full' | 'redacted' | 'reference-only', fromLog: boolean, isShown: boolean]>([
    ['full', true, true],
    ['redacted', true, false],
    ['reference-only', true, false],
    ['reference-only', false, true],
  ])('under %s, with content of documents: %s, is shown: %s', async (consent, fromLog, isShown) => {
    const seen = connectDrafts(async () => ({}));
    const { accountId } = it.place();
    await inEveryAccount(() =>
      Account.updateOne(
        { _id: accountId },
        { $set: { name: 'Quillmere', channelConsent: { slack: consent, teams: 'full' } } },
        { upsert: true },
      ),
    );
    await it.think([look, SLOW], { fromLog });
    expect(textsOf(seen).some(Boolean)).toBe(isShown);
    expect(seen.drafts.flatMap(({ steps }) => steps)).toEqual(STEPS);
  });

  test('waits as long as the channel asks for, and is given up after any other refusal', async () => {
    let refusals = 1;
    const seen = connectDrafts(async ({ text }) => {
      if (refusals-- > 0) throw Object.assign(new Error('Too fast'), { retryAfter: 0.01 });
      if (text) throw new Error('Refused');
      return { at: 1 };
    });
    await it.think([look, SLOW]);
    await sent(seen);
    expect(textsOf(seen).slice(0, 2)).toEqual(['', '']);
    expect(textsOf(seen).filter(Boolean)).toHaveLength(1);
    expect(seen.references).toEqual([{ at: 1 }]);
  });

  test('that is stopped stays as far as it was read, and says that it is not complete', async () => {
    const seen = connectDrafts(async () => ({ at: 1 }));
    it.says = [look, SLOWER];
    const run = await it.begin();
    const over = executeRun(run, it.place().conversation);
    await eventually(async () => textsOf(seen).includes(FIRST), 'the first sentence');
    await inEveryAccount(() => cancelRun(makeWho({ accountId: run.accountId }), run._id));
    await over;
    const message = await inEveryAccount(() => Message.findOne({ key: `run:${run._id}:end` }).lean());
    const incomplete = 'Stopped before the answer was complete.';
    expect(message).toMatchObject({
      kind: 'cancelled',
      text: `${FIRST}\n\n${incomplete}`,
      derived: { redacted: incomplete, reference: incomplete },
    });
    await sent(seen);
    expect(seen.references).toEqual([{ at: 1 }]);
  });

  test('is not shown by a process that no longer has the run', async () => {
    let taken = 0;
    const seen = connectDrafts(async (_draft, { keep }) => {
      taken += 1;
      await inEveryAccount(() =>
        Run.updateOne({ _id: run._id }, { $set: { lease: { owner: 'another', id: 'theirs' } }, $inc: { version: 1 } }),
      );
      await keep({ at: taken });
      return {};
    });
    it.says = [look, SLOW];
    const run = await it.begin();
    await executeRun(run, it.place().conversation);
    expect(seen.drafts).toHaveLength(1);
    expect((await readRun(run)).draft ?? null).toBeNull();
  });

  test('continues in what another process has shown', async () => {
    const given: unknown[] = [];
    connectDrafts(async (_draft, { reference }) => {
      given.push(reference);
      return { at: 2 };
    });
    it.says = [look, SLOW];
    const run = await it.begin();
    await executeRun({ ...run, draft: { said: 'Before.', shown: { at: 1 } } }, it.place().conversation);
    expect(given[0]).toEqual({ at: 1 });
    expect(given[1]).toEqual({ at: 2 });
  });

  test('keeps what was read while the model looks something else up', async () => {
    const seen = connectDrafts(async ({ text }) => ({ shown: text.length }));
    const further: Behaviour = { text: `${FIRST} V1 leaks`, calls: look.calls ?? [], pause: 200 };
    const held = { text: WHOLE, until: new Promise((resolve) => setTimeout(resolve, 2500)) };
    await it.think([look, further, held]);
    await sent(seen);
    const texts = textsOf(seen);
    const first = texts.findIndex(Boolean);
    expect(texts.slice(first).length).toBeGreaterThan(1);
    for (const text of texts.slice(first)) expect(text.startsWith(FIRST)).toBe(true);
  });

  test('ends before a question, and begins anew after the answer', async () => {
    const given: unknown[] = [];
    const seen = connectDrafts(async (_draft, { reference }) => {
      given.push(reference);
      return { at: given.length };
    });
    const note: Behaviour = { calls: [{ name: 'note', input: { text: 'Hello', copies: 1 } }], pause: 100 };
    const run = await it.think([look, note, { text: FIRST }]);
    expect(run).toMatchObject({ status: 'waiting', draft: null });
    expect(seen.ended).toEqual([{ at: given.length }]);
    const before = given.length;
    await it.answer((await it.question(run))._id, { approved: true });
    await sent(seen);
    expect(given[before]).toBeNull();
  });
});
