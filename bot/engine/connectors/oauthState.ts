import { createHash, randomBytes } from 'node:crypto';
import { OauthState, type OauthStateRow } from '../../../models/oauthState.ts';
import type { Who } from '../../../models/policies/who.ts';

const MINUTES = 10;
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Begins a connection. @returns the state to send along; only its hash is kept */
export async function beginState(
  who: Who,
  sessionId: string,
  it: Pick<OauthStateRow, 'service' | 'from' | 'agent'>,
): Promise<string> {
  const state = randomBytes(24).toString('base64url');
  await OauthState.create({
    ...it,
    _id: hash(state),
    accountId: who.accountId,
    userId: who.userId,
    session: hash(sessionId),
    expiresAt: new Date(Date.now() + MINUTES * 60_000),
  });
  return state;
}

/** Uses a state up. @returns what was begun; null where it was used, is too old, or belongs to another session */
export async function spendState(
  who: Who,
  sessionId: string,
  service: string,
  state: string,
): Promise<OauthStateRow | null> {
  const row = await OauthState.findOneAndDelete({ _id: hash(state), service }).lean();
  const fits =
    row &&
    row.expiresAt > new Date() &&
    row.session === hash(sessionId) &&
    row.accountId === who.accountId &&
    row.userId === who.userId;
  return fits ? row : null;
}

/** How a service is connected: where a person is sent, and what is done when they come back. */
export type Connector = {
  /** The vendor's page to send the person to. */
  authorizeUrl(state: string): string;
  /** Takes the vendor's code. @throws AppError with what went wrong, in words */
  connect(who: Who, code: string): Promise<void>;
};
