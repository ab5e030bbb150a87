import type { Types } from 'mongoose';
import type { Manner, Turn as TurnContract } from './contracts/turn.ts';
import { entity } from './store/entity.ts';
import { WORK_FIELDS, type WorkRow } from './store/workKind.ts';

/** A message or event from a person, stored before it is acknowledged. */
export type TurnRow = Omit<TurnContract, 'manner'> &
  WorkRow & {
    /** Missing on older rows: read it by {@link mannerOf}. */
    manner?: Manner | undefined;
    _id: Types.ObjectId;
    accountId: number;
    /**
     * stored: acknowledged, not handled yet; done: a run or an answer handles it; failed: given up, and the person was
     * told; dropped: given up, and an administrator has seen to it.
     */
    status: 'stored' | 'done' | 'failed' | 'dropped';
    attempts: number;
    dueAt: Date;
    conversationId: Types.ObjectId;
    /** The question that this turn answers; saved before the answer is, so that a retry answers the same one. */
    answers?: number | null;
    clientId: string | null;
    /** The hired agent that the task was given to; null where the text decides. */
    taskFor?: number | null;
    createdAt: Date;
  };

/** Event ids of "Send to Arc" in Teams; older turns from there have no `manner`. */
const SENT_IN_TEAMS = /^[^:]+:send:/;

/** How a stored turn reached the agent; derived for turns stored before `manner` existed. */
export function mannerOf({ manner, channel, eventId }: Pick<TurnRow, 'manner' | 'channel' | 'eventId'>): Manner {
  return manner ?? (channel === 'teams' && SENT_IN_TEAMS.test(eventId) ? 'handed-over' : 'said');
}

export const Turn = entity<TurnRow>({
  name: 'Turn',
  collection: 'turns',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    channel: String,
    address: Object,
    speaker: Object,
    text: String,
    files: { type: [Object], default: [] },
    eventId: String,
    manner: String,
    status: { type: String, default: 'stored' },
    ...WORK_FIELDS,
    conversationId: 'ObjectId',
    answers: { type: Number, default: null },
    clientId: { type: String, default: null },
    taskFor: { type: Number, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  names: [{ name: 'speaker.name', userId: 'speaker.userId' }],
  indexes: [
    [{ channel: 1, eventId: 1 }, { unique: true }],
    [{ accountId: 1, conversationId: 1, 'speaker.platformId': 1 }],
    [{ status: 1, createdAt: 1 }, { partialFilterExpression: { status: 'stored' } }],
    [{ status: 1 }, { partialFilterExpression: { status: 'failed' } }],
  ],
});
