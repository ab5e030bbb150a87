import { entity } from './store/entity.ts';

/** How long a call is remembered, so that it is answered once however often it is sent, in seconds. */
const REMEMBERED_SECONDS = 86_400;

/**
 * Somebody wrote to Arc, or installed it, in a Teams organisation that nobody has connected. Stored before it is
 * acknowledged; no words are kept. Belongs to no account yet, therefore of system scope.
 */
export type UnconnectedCallRow = {
  /** App, tenant, conversation and activity: the same call sent again is the same row. */
  _id: string;
  appId: string;
  /** The activity without its words. */
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
