import type { Types } from 'mongoose';
import type { Manner, Turn as TurnContract } from './contracts/turn.ts';
import { entity } from './store/entity.ts';

/** What a person said, stored before it was acknowledged. */
export type TurnRow = Omit<TurnContract, 'manner'> & {
  /** Missing on older rows: read it by {@link mannerOf}. */
  manner?: Manner | undefined;
  _id: Types.ObjectId;
  accountId: number;
  /** stored: acknowledged, nothing done yet; done: a run or an answer carries it on; failed: given up, and said so. */
  status: 'stored' | 'done' | 'failed';
  /** How often the sweeper has tried to carry it on, and not before when it tries again. */
  attempts: number;
  /** How often the sweeper has begun with it and not come to an end: each time the process died. */
  begun?: number;
  dueAt: Date;
  conversationId: Types.ObjectId;
  /** The question that its words answer, kept before they do. */
  answers?: number | null;
  clientId: string | null;
  /** The hired agent that it is a task for; null where the words say who is spoken to. */
  taskFor?: number | null;
  createdAt: Date;
};

/** Event ids of "Send to Arc" in Teams, whose older turns hold no manner. */
const SENT_IN_TEAMS = /^[^:]+:send:/;

/** How a stored turn came to the agent, also one that was stored before turns said so. */
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
    attempts: { type: Number, default: 0 },
    begun: { type: Number, default: 0 },
    dueAt: { type: Date, default: Date.now },
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
  ],
});
