import mongoose from 'mongoose';
import { readSeal } from '../../../bot/engine/audit/readSeal.ts';
import { Account } from '../../../models/account.ts';
import { Delivery } from '../../../models/delivery.ts';
import { env } from '../../../models/env.ts';
import { Run } from '../../../models/run.ts';
import { pingStore } from '../../../models/store/connect.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { type Walk, walkStore } from '../../../models/store/walk.ts';
import { Turn } from '../../../models/turn.ts';
import { findLostKeys } from '../secrets/places.ts';
import { type Check, type Finding, fault, hint, ok } from './check.ts';

const MINUTE = 60_000;
/** Work that has not advanced for this long is reported as stuck. */
const STUCK_MS = 10 * MINUTE;
/** A larger difference between the clocks makes times in records wrong. */
const MAX_SKEW_MS = 5000;

/** Checks of the store and of the work waiting in it. */
export const storeChecks: Check[] = [
  {
    subject: 'Store',
    async look() {
      const begun = performance.now();
      if (!(await pingStore()))
        return [fault('does not answer.', 'Check MONGODB_URI, or whether DATA_DIR can be written.')];
      const kind = env.MONGODB_URI ? 'MongoDB' : 'embedded';
      const accounts = await Account.estimatedDocumentCount();
      return [ok(`${kind}, answers in ${(performance.now() - begun).toFixed(0)} ms, ${accounts} accounts`)];
    },
  },
  {
    subject: 'Data',
    // A MongoDB has ways of its own to be checked, and may be too large to be read as a whole.
    look: async () => (env.MONGODB_URI ? [] : [judgeWalk(await walkStore())]),
  },
  { subject: 'Clock', look: async () => [judgeClock(await readSkew())] },
  {
    subject: 'Secrets',
    look: async () => [judgeSecrets(await findLostKeys())],
  },
  { subject: 'Audit', look: async () => [judgeSeals(await readSeals())] },
  {
    subject: 'Work',
    look: () =>
      dangerouslyRunInEveryAccount(async () => {
        const before = new Date(Date.now() - STUCK_MS);
        const [turns, runs, failed] = await Promise.all([
          Turn.countDocuments({ status: 'stored', createdAt: { $lt: before }, dueAt: { $lt: before } }),
          Run.countDocuments({ status: 'ready', 'lease.until': { $lt: before } }),
          Delivery.countDocuments({ status: 'failed' }),
        ]);
        return judgeWork({ turns, runs, failed });
      }),
  },
];

/** Faults that are listed; more of them are only counted. */
const MAX_LISTED = 10;

/** Whether all that is stored is as it was written. */
export function judgeWalk({ collections, documents, entries, faults }: Walk): Finding {
  const read = `${documents} documents and ${entries} index entries of ${collections} collections were read`;
  if (faults.length === 0) return ok(`${read}, none is damaged`);
  const more = faults.length > MAX_LISTED ? `, and ${faults.length - MAX_LISTED} more` : '';
  return fault(
    `${read}. Damaged: ${faults.slice(0, MAX_LISTED).join('; ')}${more}.`,
    'Check the disk. Stop Arc, move its data folder away, start it again and read a backup back: npm run restore -- FILE.',
  );
}

/** Whether this server has the keys of stored secrets. */
export function judgeSecrets({ secrets, lost }: Awaited<ReturnType<typeof findLostKeys>>): Finding {
  if (lost.length === 0) return ok(`${secrets} can be opened`);
  return fault(
    `some were encrypted with keys that this server does not have: ${lost.join(', ')}.`,
    'Add those keys to ENCRYPTION_KEYS_RETIRED, or connect the channels and tools concerned again.',
  );
}

/** What seals the audit chains of all accounts. */
type Seals = {
  chains: number;
  /** Accounts whose chain no key of this server seals. */
  broken: number[];
  /** Accounts whose chain can only be verified with a retired key. */
  needRetired: number[];
};

async function readSeals(): Promise<Seals> {
  const accounts = await Account.find({}, { _id: 1 }).sort({ _id: 1 }).lean();
  const seals: Seals = { chains: accounts.length, broken: [], needRetired: [] };
  for (const { _id } of accounts) {
    const by = await runInAccount(_id, () => readSeal(_id));
    if (by === null) seals.broken.push(_id);
    if (by === 'retired') seals.needRetired.push(_id);
  }
  return seals;
}

/** Whether every audit chain is sealed with a key that this server has. */
export function judgeSeals({ chains, broken, needRetired }: Seals): Finding {
  const list = (ids: readonly number[]) =>
    `${ids.slice(0, MAX_LISTED).join(', ')}${ids.length > MAX_LISTED ? ` and ${ids.length - MAX_LISTED} more` : ''}`;
  if (broken.length > 0)
    return fault(
      `the chain of ${broken.length === 1 ? 'account' : 'accounts'} ${list(broken)} is not sealed by a key of this server.`,
      'If the key was changed, add the old one to ENCRYPTION_KEYS_RETIRED. Else: npm run audit:verify says what is wrong.',
    );
  if (needRetired.length > 0)
    return hint(
      `${needRetired.length} of ${chains} chains still need a retired key: account ${list(needRetired)}.`,
      'Run npm run keys:reencrypt before that key is removed from ENCRYPTION_KEYS_RETIRED.',
    );
  return ok(`the seals of ${chains} ${chains === 1 ? 'chain' : 'chains'} are this server’s`);
}

/** Milliseconds by which the store's clock is ahead of this machine's; null where it has none. */
async function readSkew(): Promise<number | null> {
  const begun = Date.now();
  const answer = (await mongoose.connection.db?.admin().command({ hello: 1 })) as { localTime?: Date } | undefined;
  const localTime = answer?.localTime;
  return localTime ? localTime.getTime() - (begun + Date.now()) / 2 : null;
}

export function judgeClock(skew: number | null): Finding {
  if (skew === null || Math.abs(skew) <= MAX_SKEW_MS) return ok('agrees with the store’s');
  return fault(
    `differs from the store’s by ${(Math.abs(skew) / 1000).toFixed(0)} s.`,
    'Set both machines by NTP: leases and times in records go by their clocks.',
  );
}

/** @param waiting turns and runs that nobody carries on, and deliveries that were given up */
export function judgeWork({ turns, runs, failed }: { turns: number; runs: number; failed: number }): Finding[] {
  const stuck = turns + runs;
  return [
    stuck === 0
      ? ok('nothing waits for longer than ten minutes')
      : fault(
          `${turns} messages and ${runs} runs wait for longer than ten minutes.`,
          'Is a server with ROLE=all or ROLE=worker running? Its log says why work is not carried on.',
        ),
    ...(failed > 0
      ? [
          hint(
            `${failed} deliveries were given up.`,
            'Their errors are in the log; questions can be answered on the web.',
          ),
        ]
      : []),
  ];
}
