import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';

/** A started OAuth flow: bound to the session that started it, single use, expires after ten minutes. */
export type OauthStateRow = {
  /** SHA-256 of the state. */
  _id: string;
  /** What is being connected: a channel's name, or the tool of a connector. */
  service: string;
  /** Null in a login: nobody is signed in yet. */
  accountId: number | null;
  userId: number | null;
  /** SHA-256 of the session's id. */
  session: string;
  /** The page to return to. */
  from: string;
  agent: string | null;
  /** Encrypted secrets of the flow, e.g. the PKCE verifier. */
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
    accountId: { type: Number, default: null },
    userId: { type: Number, default: null },
    session: String,
    from: String,
    agent: { type: String, default: null },
    sealed: Object,
    expiresAt: Date,
  },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});
