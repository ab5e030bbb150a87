import { createHash, randomBytes } from 'node:crypto';
import { OauthState, type OauthStateRow } from '../../../models/oauthState.ts';
import type { Who } from '../../../models/policies/who.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';

const MINUTES = 10;
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const contextOf = (id: string) => `oauth-state:${id}`;

/** A random OAuth state: 24 bytes in base64url. */
export const newState = () => randomBytes(24).toString('base64url');

type Begun = Pick<OauthStateRow, 'service' | 'from' | 'agent'> & {
  /** Secrets of the flow, e.g. the PKCE verifier; stored encrypted. */
  kept: unknown;
};

/** Who started a flow; null where nobody was signed in, in a login. */
type Starter = Pick<Who, 'accountId' | 'userId'> | null;

/** Stores a started flow under the hash of its state. */
export async function keepState(who: Starter, sessionId: string, state: string, { kept, ...it }: Begun): Promise<void> {
  const _id = hash(state);
  await OauthState.create({
    ...it,
    _id,
    sealed: seal(kept, contextOf(_id)),
    accountId: who?.accountId ?? null,
    userId: who?.userId ?? null,
    session: hash(sessionId),
    expiresAt: new Date(Date.now() + MINUTES * 60_000),
  });
}

/**
 * Consumes a state.
 * @param services names that the flow may have been started under
 * @returns the started flow; null where it was used, has expired, or belongs to another session
 */
export async function consumeState(
  who: Starter,
  sessionId: string,
  services: readonly string[],
  state: string,
): Promise<Begun | null> {
  const _id = hash(state);
  const row = await OauthState.findOneAndDelete({ _id, service: { $in: [...services] } }).lean();
  const fits =
    row &&
    row.expiresAt.getTime() > Date.now() &&
    row.session === hash(sessionId) &&
    row.accountId === (who?.accountId ?? null) &&
    row.userId === (who?.userId ?? null);
  if (!fits) return null;
  const { service, from, agent, sealed } = row;
  return { service, from, agent, kept: unseal(sealed, contextOf(_id)) };
}
