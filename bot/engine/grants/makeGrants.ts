import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { env } from '../../../models/env.ts';
import type { GrantRow, Renewal } from '../../../models/grant.ts';
import { logger } from '../../../models/logger.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';
import type { Entity } from '../../../models/store/entity.ts';
import { endGrant } from './endGrant.ts';

/** Tokens are renewed this long before they end, in seconds. */
const RENEW_BEFORE_S = 300;
/** With less than this left a token is not handed out any more, in seconds. */
const MIN_GOOD_S = 5;
/** A renewal belongs to one process for this long; after a failed one nobody tries for as long while the token is good. */
const CLAIM_MS = 30_000 * env.PATIENCE_FACTOR;
/** How often a process looks whether another one has renewed. */
const LOOK_MS = 100;
/** Waits between tries to write tokens that the provider has just given: the old ones may be worth nothing any more. */
const WRITE_AGAIN_MS = [100, 300, 900];

/** What is known of any service's tokens; times in seconds since 1970. */
export type Tokens = {
  /** What new tokens are asked with; null where they can't be renewed. */
  refreshToken: string | null;
  /** When the access token ends; null where it never does. */
  expiresAt: number | null;
};

/** A grant as it stands: its row, and its tokens opened. */
export type Grant<T extends Tokens, Row extends GrantRow> = { row: Row; tokens: T };

/** A service that gives tokens, as its grants need it. */
type GrantingService<T extends Tokens, Row extends GrantRow> = {
  /** The entity whose rows carry the grants. */
  entity: Pick<Entity<Row>, 'findOne' | 'findOneAndUpdate'> & {
    updateOne(filter: object, update: object): PromiseLike<{ modifiedCount: number }>;
  };
  /** What the tokens of a row are sealed for: they open for nothing else. */
  contextOf(row: Row): string;
  /** Asks the provider for new tokens; has to answer or throw in less than 30 seconds. */
  renew(tokens: T, row: Row): Promise<T>;
  /** Whether a failure of `renew` means that the provider renews this grant no more. */
  isRefusal(error: unknown): boolean;
  /** What people read when it does not. */
  refusedText: string;
  /** Called once, after a grant has ended. */
  onEnded(row: Row): Promise<void>;
};

const isDue = ({ expiresAt, refreshToken }: Tokens) =>
  expiresAt !== null && refreshToken !== null && expiresAt - RENEW_BEFORE_S <= Date.now() / 1000;
const isGood = ({ expiresAt }: Tokens) => expiresAt === null || expiresAt > Date.now() / 1000 + MIN_GOOD_S;
const newRenewal = (by: string | null): Renewal => ({ by, until: new Date(Date.now() + CLAIM_MS) });

/**
 * The grants of a service: opens them, keeps their tokens fresh, ends them. Whatever asks for a fresh token at the same
 * time, in this process or another, the provider is asked once: refresh tokens are good for one use with many.
 */
export function makeGrants<T extends Tokens, Row extends GrantRow>(service: GrantingService<T, Row>) {
  type Own = Grant<T, Row>;
  const { entity } = service;
  /** Renewals on their way in this process, by row. */
  const underWay = new Map<string, Promise<Own | null>>();
  /** Tokens that the provider gave and the store did not take, by row, with the sealed ones that they follow. */
  const unwritten = new Map<string, { nonce: string; tokens: T }>();

  /** @throws where the tokens were sealed with a key that this server does not hold */
  const open = (row: Row): Own => ({ row, tokens: unseal<T>(row.sealed, service.contextOf(row)) });

  async function read(_id: Row['_id']): Promise<Own | null> {
    const row = await entity.findOne({ _id, revokedAt: null }).lean();
    return row && open(row);
  }

  /** Takes the renewal of a grant. @returns its claim; null where another process has it or the grant has changed */
  async function claimRenewal({ row, tokens }: Own): Promise<string | null> {
    const by = randomUUID();
    const free = [
      { renewal: null },
      { 'renewal.until': { $lte: new Date(Date.now()) } },
      // After a failed try a good token is not asked for again at once; one that has ended is.
      ...(isGood(tokens) ? [] : [{ 'renewal.by': null }]),
    ];
    const { modifiedCount } = await entity.updateOne(
      { _id: row._id, revokedAt: null, sealed: row.sealed, $or: free },
      { $set: { renewal: newRenewal(by) } },
    );
    return modifiedCount === 1 ? by : null;
  }

  /** Writes renewed tokens, unless the grant changed meanwhile. @returns the grant as it stands; null where it ended */
  async function keepRenewed({ row }: Own, tokens: T): Promise<Own | null> {
    const sealed = seal(tokens, service.contextOf(row));
    const { modifiedCount } = await entity.updateOne(
      { _id: row._id, revokedAt: null, sealed: row.sealed },
      { $set: { sealed, renewal: null } },
    );
    // Consented to anew meanwhile, the newer tokens stand.
    return modifiedCount === 1 ? { row: { ...row, sealed, renewal: null }, tokens } : read(row._id);
  }

  /** Writes renewed tokens, again and again where the store fails: nobody else has them. */
  async function keepForSure(held: Own, tokens: T): Promise<Own | null> {
    const key = String(held.row._id);
    for (const delay of [...WRITE_AGAIN_MS, null]) {
      try {
        const kept = await keepRenewed(held, tokens);
        unwritten.delete(key);
        return kept;
      } catch (error) {
        logger.error({ err: error }, 'renewed tokens could not be written');
        if (delay !== null) await wait(delay);
      }
    }
    // They are good; whoever asks next here writes them first.
    unwritten.set(key, { nonce: held.row.sealed.nonce, tokens });
    return { ...held, tokens };
  }

  /** Asks the provider, with the claim to do so. @throws what failed, where the token at hand has ended */
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
    return keepForSure(held, renewed);
  }

  async function renew(grant: Own): Promise<Own | null> {
    for (let held: Own | null = grant; ; await wait(LOOK_MS)) {
      const left = unwritten.get(String(held.row._id));
      if (left?.nonce === held.row.sealed.nonce) return keepForSure(held, left.tokens);
      const claim = await claimRenewal(held);
      if (claim) return renewClaimed(held, claim);
      held = await read(held.row._id);
      // While another process renews them, tokens are used to their end.
      if (!held || !isDue(held.tokens) || isGood(held.tokens)) return held;
    }
  }

  /**
   * The grant with tokens that can be used now.
   * @returns null where it has ended meanwhile, or ended because the provider renews it no more
   * @throws what failed, where the provider could not be asked and the token at hand has ended
   */
  function freshen(grant: Own): Promise<Own | null> {
    if (!isDue(grant.tokens)) return Promise.resolve(grant);
    const key = String(grant.row._id);
    const begun = underWay.get(key) ?? renew(grant).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  }

  /**
   * Ends a grant: its tokens go, and whoever has to know is told.
   * @param why what broke it, for people; null where the company ended it
   * @param condition what must be so of the row; otherwise it stays
   */
  async function end(row: Row, why: string | null, condition: Record<string, unknown> = {}): Promise<void> {
    const ended = await endGrant(entity, row, { context: service.contextOf(row), why, condition });
    if (ended) await service.onEnded(ended);
  }

  return { open, freshen, end };
}
