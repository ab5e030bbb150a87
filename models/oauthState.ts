import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';

/** A connection that was begun: bound to the session that began it, used once, gone after ten minutes. */
export type OauthStateRow = {
  /** SHA-256 of the state. */
  _id: string;
  /** The name of what began: a channel, or a tool of a connector. */
  service: string;
  accountId: number;
  userId: number;
  /** SHA-256 of the session's id. */
  session: string;
  /** The page that it returns to. */
  from: string;
  agent: string | null;
  /** What only the return may know. */
  sealed: Sealed;
  expiresAt: Date;
};

export const OauthState = entity<OauthStateRow>({
  name: 'OauthState',
  collection: 'oauthStates',
  scope: 'system',
  fields: {
    _id: String,
    service: String,
    accountId: Number,
    userId: Number,
    session: String,
    from: String,
    agent: { type: String, default: null },
    sealed: Object,
    expiresAt: Date,
  },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});
