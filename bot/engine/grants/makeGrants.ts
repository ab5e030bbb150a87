import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { env } from '../../../models/env.ts';
import type { GrantRow, Renewal } from '../../../models/grant.ts';
import { logger } from '../../../models/logger.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import type { Entity } from '../../../models/store/entity.ts';
import { endGrant } from './endGrant.ts';

/** Tokens are renewed this many seconds before they expire. */
const RENEW_BEFORE_S = 300;
/** Tokens with less time left (seconds) are not handed out. */
const MIN_REMAINING_S = 5;
/** Duration of a renewal claim. After a failed renewal nobody tries again for as long, while the token is valid. */
const CLAIM_MS = 30_000 * env.PATIENCE_FACTOR;
/** Polling interval while another process renews. */
const POLL_MS = 100;
/** Waits between attempts to save renewed tokens: the old ones may already be invalid. */
const SAVE_RETRY_MS = [100, 300, 900];

/** The fields that every service's tokens have; times in seconds since 1970. */
export type Tokens = {
  /** Refresh token; null where the tokens can't be renewed. */
  refreshToken: string | null;
  /** Expiry of the access token; null where it never expires. */
  expiresAt: number | null;
};

/** A grant: its row and its decrypted tokens. */
export type Grant<T extends Tokens, Row extends GrantRow> = { row: Row; tokens: T };

/** The service's part of {@link makeGrants}. */
type GrantingService<T extends Tokens, Row extends GrantRow> = {
  /** The entity whose rows carry the grants. */
  entity: Pick<Entity<Row>, 'findOne' | 'findOneAndUpdate'> & {
    updateOne(filter: object, update: object): PromiseLike<{ modifiedCount: number }>;
  };
  /** Encryption context of a row's tokens. */
  contextOf(row: Row): string;
  /** Renews tokens at the provider; must settle in less than 30 seconds. */
  renew(tokens: T, row: Row): Promise<T>;
  /** Whether an error of `renew` means that the refresh token is rejected for good. */
  isRefusal(error: unknown): boolean;
  /** The error shown to people in that case. */
  refusedText: string;
  /** Called once, after a grant has ended. */
  onEnded(row: Row): Promise<void>;
};

const isDue = ({ expiresAt, refreshToken }: Tokens) =>
  expiresAt !== null && refreshToken !== null && expiresAt - RENEW_BEFORE_S <= Date.now() / 1000;
const isGood = ({ expiresAt }: Tokens) => expiresAt === null || expiresAt > Date.now() / 1000 + MIN_REMAINING_S;
const newRenewal = (by: string | null): Renewal => ({ by, until: new Date(Date.now() + CLAIM_MS) });

/**
 * Opens, renews and ends the grants of a service. Concurrent requests for a fresh token, in any process, cause one
 * renewal: many providers accept a refresh token only once.
 */
export function makeGrants<T extends Tokens, Row extends GrantRow>(service: GrantingService<T, Row>) {
  type Own = Grant<T, Row>;
  const { entity } = service;
  /** Renewals in progress in this process, by row id. */
  const renewals = new Map<string, Promise<Own | null>>();
  /** Renewed tokens that could not be saved, by row id, with the nonce of the encrypted tokens they replace. */
  const unsaved = new Map<string, { nonce: string; tokens: T }>();

  /** @throws where the tokens were encrypted with a key that this server does not have */
  const open = (row: Row): Own => ({ row, tokens: unseal<T>(row.sealed, service.contextOf(row)) });

  async function read(_id: Row['_id']): Promise<Own | null> {
    const row = await entity.findOne({ _id, revokedAt: null }).lean();
    return row && open(row);
  }

  /**
   * Claims the renewal of a grant.
   * @returns the claim; null where another process has it or the grant has changed
   */
  async function claimRenewal({ row, tokens }: Own): Promise<string | null> {
    const by = randomUUID();
    const free = [
      { renewal: null },
      { 'renewal.until': { $lte: new Date(Date.now()) } },
      // After a failed renewal a valid token is not renewed at once; an expired one is.
      ...(isGood(tokens) ? [] : [{ 'renewal.by': null }]),
    ];
    const { modifiedCount } = await entity.updateOne(
      { _id: row._id, revokedAt: null, sealed: row.sealed, $or: free },
      { $set: { renewal: newRenewal(by) } },
    );
    return modifiedCount === 1 ? by : null;
  }

  /**
   * Saves renewed tokens, unless the grant changed meanwhile.
   * @returns the current grant; null where it has ended
   */
  async function saveRenewed({ row }: Own, tokens: T): Promise<Own | null> {
    const sealed = seal(tokens, service.contextOf(row));
    const { modifiedCount } = await entity.updateOne(
      { _id: row._id, revokedAt: null, sealed: row.sealed },
      { $set: { sealed, renewal: null } },
    );
    // The person has consented again meanwhile: those tokens are newer.
    return modifiedCount === 1 ? { row: { ...row, sealed, renewal: null }, tokens } : read(row._id);
  }

  /** Saves renewed tokens with retries: no copy exists elsewhere. */
  async function saveWithRetries(held: Own, tokens: T): Promise<Own | null> {
    const key = String(held.row._id);
    for (const delay of [...SAVE_RETRY_MS, null]) {
      try {
        const kept = await saveRenewed(held, tokens);
        unsaved.delete(key);
        return kept;
      } catch (error) {
        logger.error({ err: error }, 'renewed tokens could not be saved');
        if (delay !== null) await wait(delay);
      }
    }
    // They are valid; the next request in this process saves them first.
    unsaved.set(key, { nonce: held.row.sealed.nonce, tokens });
    return { ...held, tokens };
  }

  /**
   * Renews with the claim.
   * @throws the provider's error, where the current token has expired
   */
  async function renewClaimed(held: Own, by: string): Promise<Own | null> {
    const { row, tokens } = held;
    let renewed: T;
    try {
      renewed = await service.renew(tokens, row);
    } catch (error) {
      const standing = await read(row._id);
      if (!standing || standing.row.sealed.nonce !== row.sealed.nonce) return standing;
      if (!isGood(tokens) && service.isRefusal(error)) {
        await end(row, service.refusedText, { sealed: row.sealed });
        return read(row._id);
      }
      await entity.updateOne({ _id: row._id, 'renewal.by': by }, { $set: { renewal: newRenewal(null) } });
      if (isGood(tokens)) return held;
      throw error;
    }
    return saveWithRetries(held, renewed);
  }

  async function renew(grant: Own): Promise<Own | null> {
    for (let held: Own | null = grant; ; await wait(POLL_MS)) {
      const left = unsaved.get(String(held.row._id));
      if (left?.nonce === held.row.sealed.nonce) return saveWithRetries(held, left.tokens);
      const claim = await claimRenewal(held);
      if (claim) return renewClaimed(held, claim);
      held = await read(held.row._id);
      // While another process renews, a valid token is used until it expires.
      if (!held || !isDue(held.tokens) || isGood(held.tokens)) return held;
    }
  }

  /**
   * The grant with tokens that are valid now.
   * @returns null where it has ended, or ends now because the provider rejects the refresh token
   * @throws the provider's error, where the renewal failed and the current token has expired
   */
  function freshen(grant: Own): Promise<Own | null> {
    if (!isDue(grant.tokens)) return Promise.resolve(grant);
    const key = String(grant.row._id);
    const begun = renewals.get(key) ?? renew(grant).finally(() => renewals.delete(key));
    renewals.set(key, begun);
    return begun;
  }

  /**
   * Renews tokens that the provider refused although they don't say when they expire.
   * @returns null where they can't be renewed, or where the grant has ended or ends now
   * @throws the provider's error
   */
  async function renewRefused({ row, tokens }: Own): Promise<Own | null> {
    if (tokens.refreshToken === null || tokens.expiresAt !== null) return null;
    const sealed = seal({ ...tokens, expiresAt: 0 }, service.contextOf(row));
    // Somebody else may have renewed them, or the person consented again: those tokens are newer.
    await entity.updateOne({ _id: row._id, revokedAt: null, sealed: row.sealed }, { $set: { sealed } });
    const standing = await read(row._id);
    return standing && freshen(standing);
  }

  /**
   * Ends a grant: deletes its tokens and calls `onEnded`.
   * @param why why it broke, for people; null where the company ended it
   * @param condition extra conditions on the row; where they fail, the grant stays
   */
  async function end(row: Row, why: string | null, condition: Record<string, unknown> = {}): Promise<void> {
    const ended = await endGrant(entity, row, { context: service.contextOf(row), why, condition });
    if (ended) await service.onEnded(ended);
  }

  return { open, freshen, renewRefused, end };
}
