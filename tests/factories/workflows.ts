import { afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import { registerChannel } from '../../bot/engine/delivery/channel.ts';
import { registerWorkflow, type Step } from '../../bot/engine/workflows/workflow.ts';
import type { RunProgress } from '../../models/contracts/chat.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import type { Who } from '../../models/policies/who.ts';
import type { RunRow } from '../../models/run.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { makeChannel } from '../fakes/channel.ts';
import { connectTestStore, makeWho, nextNumber } from './account.ts';
import { makeInterrupt } from './interrupt.ts';
import { keepRun, makeRun, readRun } from './runs.ts';
import { inEveryAccount, openPlace, readMessages } from './turns.ts';

export const RESOLUTION = {
  outcome: 'approved',
  by: { userId: 3, name: 'Bo' },
  via: 'inbox',
  reason: null,
  at: new Date('2026-03-04T14:02:00Z'),
} as const;
/** The fields of an answered question. */
export const RESOLVED = { status: 'resolved', resolution: RESOLUTION } as const;

type Kept = {
  accountId: number;
  who: Who;
  /** The first step. */
  next: Step;
  /** The progress that watchers were sent. */
  shown: RunProgress[];
  /** The statuses of the runs of `kept-titled` that did not end well. */
  ended: string[];
};

/**
 * Sets up a test file: the store, a new account before each test, and three workflows whose first step the test
 * provides: `kept-titled` (exclusive; the question of its step `two` is asked again by the next run), `kept-plain` (an answer, without a title) and `kept-shared` (titled, any number
 * at once).
 */
export function connectWorkflows(begin: (made: { accountId: number; who: Who }) => void) {
  const kept: Kept = { accountId: 0, who: makeWho(), next: async () => ({ next: 'two' }), shown: [], ended: [] };
  const make = (more: Partial<RunRow> = {}): RunRow =>
    makeRun({ accountId: kept.accountId, workflow: 'kept-titled', userId: kept.who.userId, ...more });
  const write = (more: Partial<RunRow> = {}) => keepRun(make(more));
  connectTestStore();
  beforeAll(() => {
    const done: Step = async () => ({ done: { output: 'done' } });
    const steps = {
      one: { label: 'First', run: (context: Parameters<Step>[0]) => kept.next(context) },
      two: { label: 'Second', run: done, brief: true },
      three: { label: 'Third', run: done },
    };
    const ended = async ({ status }: { status: string }) => void kept.ended.push(status);
    registerWorkflow({
      name: 'kept-titled',
      title: 'Titled',
      first: 'one',
      reserve: 10,
      steps,
      exclusive: { noun: 'survey', replaced: 'Its notes are gone.', keeps: 'Notes are kept.' },
      hasChanged: ({ changed }) => changed === true,
      recordedOutput: ({ recorded }) => (typeof recorded === 'string' ? recorded : null),
      ended,
    });
    registerWorkflow({ name: 'kept-plain', title: null, first: 'one', reserve: 0, steps });
    registerWorkflow({ name: 'kept-shared', title: 'Shared', first: 'one', reserve: 10, steps });
  });
  beforeEach(() => {
    Object.assign(kept, { accountId: nextNumber(), ended: [], shown: [], next: async () => ({ next: 'two' }) });
    kept.who = makeWho({ accountId: kept.accountId });
    registerChannel(makeChannel({ progress: (_conversation, progress) => void kept.shown.push(progress) }).channel);
    begin(kept);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return Object.assign(kept, {
    make,
    write,
    open: (account = kept.accountId) => openPlace(account),
    /** A run that waits for an answer. */
    async ask(more: Partial<InterruptRow> = {}, run: Partial<RunRow> = {}) {
      const _id = nextNumber();
      const waiting = await write({ status: 'waiting', step: 'three', round: 1, state: { interruptId: _id }, ...run });
      const row = makeInterrupt({ _id, accountId: kept.accountId, askKey: String(_id), runId: waiting._id, ...more });
      await inEveryAccount(() => Interrupt.create(row));
      return { run: waiting, row };
    },
    question: async ({ _id }: Pick<InterruptRow, '_id'>) =>
      requireRow(await inEveryAccount(() => Interrupt.findOne({ _id }).lean())),
    said: async () => (await readMessages(kept.accountId)).map(({ key, kind, text }) => ({ key, kind, text })),
    statusOf: async (run: Pick<RunRow, '_id'>) => (await readRun(run)).status,
  });
}
