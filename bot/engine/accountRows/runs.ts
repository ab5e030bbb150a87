import { CHANNEL_NAMES, type ChannelName, calledInSentence } from '../../../models/contracts/channels.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { shorten } from '../delivery/splitText.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { eventField, inThePast, stateField } from '../queries/flagField.ts';
import { namedField } from '../queries/namedField.ts';
import { readNewest } from './newest.ts';
import { nameOfAgent } from './questions.ts';

type Row = Pick<RunRow, '_id' | 'agentId' | 'goal' | 'channel' | 'status' | 'spent'>;

export const RUNS: Nouns = { one: 'run', many: 'runs', names: ['task', 'tasks'] };

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
      stateField('running', 'running, in progress, going on, being worked on, active', is('ready')),
      stateField('waiting', 'waiting, waiting for person, waiting for answer, paused', is('waiting')),
      stateField('completed', 'completed, complete, finished, done, successful', is('completed'), {
        opposite: 'unfinished',
      }),
      stateField('failed', inThePast(['failed', 'broken']).join(', '), is('failed'), {
        says: { yes: { verb: 'have', rest: 'failed' }, no: { verb: 'have', rest: 'not failed' } },
      }),
      eventField('cancelled', 'cancelled, canceled, stopped, aborted', is('cancelled')),
      {
        id: 'cost',
        kind: 'number',
        names: ['cost', 'costs', 'cost in credits', 'credits'],
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
