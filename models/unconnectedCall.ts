import { entity } from './store/entity.ts';

/** How long a call is kept to deduplicate it, in seconds. */
const REMEMBERED_SECONDS = 86_400;

/**
 * A call from a Teams organisation that no account has connected: somebody wrote to Arc or installed it. Stored before
 * it is acknowledged, without the text. It belongs to no account yet, hence system scope.
 */
export type UnconnectedCallRow = {
  /** Idempotency key: app, tenant, conversation and activity. */
  _id: string;
  appId: string;
  /** The activity without its text. */
  activity: object;
  status: 'due' | 'done';
  attempts: number;
  dueAt: Date;
  createdAt: Date;
};

export const UnconnectedCall = entity<UnconnectedCallRow>({
  name: 'UnconnectedCall',
  collection: 'unconnectedCalls',
  scope: 'system',
  fields: {
    _id: String,
    appId: String,
    activity: Object,
    status: { type: String, default: 'due' },
    attempts: { type: Number, default: 0 },
    dueAt: { type: Date, default: Date.now },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [
    [{ status: 1, dueAt: 1 }, { partialFilterExpression: { status: 'due' } }],
    [{ createdAt: 1 }, { expireAfterSeconds: REMEMBERED_SECONDS }],
  ],
});
