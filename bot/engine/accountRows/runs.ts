import { CHANNEL_NAMES, type ChannelName, calledInSentence } from '../../../models/contracts/channels.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { shorten } from '../delivery/splitText.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { eventField, inThePast, stateField } from '../queries/flagField.ts';
import { namedField } from '../queries/namedField.ts';
import { readNewest } from './newest.ts';
import { nameOfAgent } from './questions.ts';

type Row = Pick<RunRow, '_id' | 'agentId' | 'goal' | 'channel' | 'status' | 'spent'>;

export const RUNS: Nouns = {
  one: 'run',
  many: 'runs',
  names: ['task', 'tasks', 'job', 'jobs', 'piece of work', 'pieces of work'],
};

const WORDS: Record<Row['status'], string> = {
  ready: 'running',
  waiting: 'waiting for a person',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};
const MAX_GOAL = 160;
const shownGoal = (goal: string) => shorten(goal.replace(/\s+/g, ' '), MAX_GOAL);

/** What an account's agents have worked on. */
export async function runs(accountId: number): Promise<Entity<Row>> {
  const { rows, remark } = await readNewest<Row>(
    (limit) =>
      Run.find({ accountId }, { agentId: 1, goal: 1, channel: 1, status: 1, spent: 1 })
        .sort({ _id: -1 })
        .limit(limit)
        .lean(),
    () => Run.countDocuments({ accountId }),
    RUNS.many,
  );
  const is = (wanted: Row['status']) => (row: Row) => row.status === wanted;
  return {
    id: 'runs',
    ...RUNS,
    measure: 'cost',
    rows,
    remark,
    fields: [
      stateField(
        'running',
        'running, in progress, going on, being worked on, active, under way, underway, ongoing, still going, live',
        is('ready'),
      ),
      stateField(
        'waiting',
        'waiting, waiting for person, waiting on person, waiting for answer, paused, waiting on somebody, waiting on someone, waiting for somebody, waiting for someone, waiting for us, waiting on us, waiting for me, waiting on me, stuck, held up, blocked, on hold, pending, waiting for approval, waiting for human, waiting on human, awaiting answer, awaiting approval, parked',
        is('waiting'),
      ),
      stateField(
        'completed',
        'completed, complete, finished, done, successful, succeeded, ended well, went through, have finished, has finished, have completed, has completed, went fine, went ok, came through',
        is('completed'),
        {
          opposite: 'unfinished, did not complete, did not finish, never finished, never completed, incomplete',
        },
      ),
      stateField(
        'failed',
        [
          ...inThePast(['failed', 'broken']),
          'went wrong',
          'crashed',
          'unsuccessful',
          'fell over',
          'have failed',
          'has failed',
          'did fail',
          'in error',
          'errored',
          'broke',
          'have gone wrong',
          'went bad',
        ].join(', '),
        is('failed'),
        {
          says: { yes: { verb: 'have', rest: 'failed' }, no: { verb: 'have', rest: 'not failed' } },
        },
      ),
      eventField('cancelled', 'cancelled, canceled, stopped, aborted, called off, killed, abandoned', is('cancelled')),
      {
        id: 'cost',
        kind: 'number',
        names: [
          'cost',
          'costs',
          'cost in credits',
          'credits',
          'credit',
          'spent',
          'spend',
          'that spent',
          'used',
          'that used',
          'costing',
          'spending',
          'price',
          'using',
          'credits spent',
          'credits used',
          'consumed',
          'took',
          'charged',
          'credit cost',
          'burned',
          'burnt',
          'ate',
          'was charged',
          'were charged',
        ],
        isPast: true,
        noun: 'cost in credits',
        has: 'a cost in credits',
        lacks: 'no cost in credits',
        read: ({ spent }) => spent,
      },
      namedField(
        { id: 'agent', names: ['agent', 'agents'], noun: 'agent', before: ['by', 'from', 'of'] },
        ({ agentId }) => nameOfAgent(agentId),
      ),
      namedField(
        {
          id: 'channel',
          names: ['channel', 'channels'],
          noun: 'channel',
          before: ['started in', 'from', 'in'],
          usual: CHANNEL_NAMES.map(calledInSentence),
        },
        ({ channel }) => calledInSentence(channel as ChannelName),
      ),
    ],
    outside: ({ goal }) => [shownGoal(goal)],
    line: ({ goal, status, agentId, spent }) =>
      `${shownGoal(goal)} (${nameOfAgent(agentId)}, ${WORDS[status]}, ${spent} credits)`,
  };
}
