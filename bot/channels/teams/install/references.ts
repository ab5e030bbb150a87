import { Types } from 'mongoose';
import { ChannelReference, type ChannelReferenceRow } from '../../../../models/channelReference.ts';
import { logger } from '../../../../models/logger.ts';
import { makeCache } from '../../../../models/store/cache.ts';
import { changes } from '../../../../models/store/revisions.ts';
import { noteConnection, readIntegrations } from '../../../engine/accounts/integrations.ts';
import { type Caller, happenedAt, kindOf, type Received, type Target } from '../platform/activity.ts';
import { conversationIdOf, placeOfConversation, type TeamsPlace } from '../platform/address.ts';
import type { TeamsInstallation } from './installations.ts';

/** A reference that says the same is written anew after this long, so that it is known to be alive. */
const FRESH_MILLISECONDS = 60 * 60_000;
/** What was read or written just now; ended by another process meanwhile, Teams says so at the next call. */
const KEPT_MILLISECONDS = 30_000;
const MOST_KEPT = 50_000;
const fresh = makeCache<string, string>(FRESH_MILLISECONDS, MOST_KEPT);
const kept = makeCache<string, ChannelReferenceRow>(KEPT_MILLISECONDS, MOST_KEPT);
// An installation that ends, or goes to another account, leaves nothing behind here.
changes.on('changed', (_accountId, topics) => {
  if (!topics.includes('integrations')) return;
  fresh.clear();
  kept.clear();
});

function keep(row: ChannelReferenceRow): ChannelReferenceRow {
  kept.set(row.key, row);
  return row;
}

type Said = Omit<ChannelReferenceRow, '_id' | 'accountId' | 'endedAt' | 'refreshedAt' | 'aliveAt'>;

const referenceKey = (it: Pick<TeamsPlace, 'key' | 'conversationId'>) => `${it.key}/${it.conversationId}`;

/** Where an activity came from, of an installation by its key. */
export function readReference(installationKey: string, activity: Received): Said {
  const { from, recipient, conversation, serviceUrl, channelData } = activity;
  const place = placeOfConversation(installationKey, conversation.id);
  const kind = kindOf(activity);
  return {
    channel: 'teams',
    key: referenceKey(place),
    installationKey,
    conversationId: place.conversationId,
    kind,
    serviceUrl,
    botId: recipient.id,
    userId: kind === 'personal' ? from.id : null,
    directoryId: kind === 'personal' ? (from.aadObjectId ?? null) : null,
    teamId: channelData?.team?.id ?? null,
  };
}

/**
 * Keeps where an activity came from, so that it can be answered at any later time. Must be called inside the account.
 * @param added true where the app was put there: its time is kept, so that a late removal ends nothing
 */
export async function refreshReference(
  installation: TeamsInstallation,
  activity: Received,
  added = false,
): Promise<void> {
  const { accountId } = installation.row;
  const said = readReference(installation.row.key, activity);
  const words = JSON.stringify({ accountId, ...said });
  if (!added && fresh.get(said.key) === words) return;
  await keepReference(accountId, said, happenedAt(activity));
  fresh.set(said.key, words);
}

/** Keeps a conversation as it can be reached. Must be called inside the account. */
export async function keepReference(accountId: number, said: Said, aliveAt?: Date): Promise<void> {
  await writeReference(accountId, said, aliveAt);
  const { teams } = await readIntegrations(accountId);
  // Connected means installed too: the first word from there is what shows it.
  if (!teams?.authenticated) await noteConnection(accountId, 'teams', true);
}

async function writeReference(accountId: number, said: Said, aliveAt?: Date): Promise<void> {
  const row = await ChannelReference.findOneAndUpdate(
    { accountId, channel: 'teams', key: said.key },
    {
      $set: { ...said, endedAt: null, refreshedAt: new Date() },
      ...(aliveAt ? { $max: { aliveAt } } : {}),
      $setOnInsert: { _id: new Types.ObjectId(), accountId },
    },
    { upsert: true, returnDocument: 'after' },
  ).lean();
  if (row) keep(row);
}

/** Keeps a personal chat that Arc has opened itself. */
export async function keepPersonal(of: ChannelReferenceRow, userId: string, conversationId: string): Promise<void> {
  const { accountId, installationKey, serviceUrl, botId } = of;
  const key = referenceKey({ key: installationKey, conversationId });
  const said = { channel: 'teams' as const, installationKey, serviceUrl, botId };
  await writeReference(accountId, {
    ...said,
    key,
    conversationId,
    kind: 'personal',
    userId,
    directoryId: null,
    teamId: null,
  });
}

/** The reference of a place; null where there is none, or where the app was removed. */
export async function findReference(place: TeamsPlace): Promise<ChannelReferenceRow | null> {
  const key = referenceKey(place);
  const known = kept.get(key);
  if (known) return known;
  const row = await ChannelReference.findOne({ channel: 'teams', key, endedAt: null }).lean();
  return row && keep(row);
}

/** The personal chat with someone, by the platform's id or the directory's. */
export async function findPersonal(
  installationKey: string,
  who: { userId: string } | { directoryId: string },
): Promise<ChannelReferenceRow | null> {
  return ChannelReference.findOne({
    channel: 'teams',
    installationKey,
    ...who,
    kind: 'personal',
    endedAt: null,
  }).lean();
}

/** Any conversation of an installation through which its connector can be reached. */
export async function anyReference(installationKey: string): Promise<ChannelReferenceRow | null> {
  return ChannelReference.findOne({ channel: 'teams', installationKey, endedAt: null })
    .sort({ refreshedAt: -1 })
    .lean();
}

/** As which app a conversation's connector is called. */
export const callerOf = (
  { appId, tenantId }: TeamsInstallation['registration'],
  { serviceUrl }: Pick<ChannelReferenceRow, 'serviceUrl'>,
): Caller => ({ appId, tenantId, serviceUrl });

/** Where an activity goes that is meant for a place. */
export function targetOf(
  { registration }: TeamsInstallation,
  reference: ChannelReferenceRow,
  place: TeamsPlace,
): Target {
  return { ...callerOf(registration, reference), conversationId: conversationIdOf(place) };
}

/** Whose roster knows the people of a conversation: a team's for all its channels, else the conversation's own. */
export const rosterOf = (installation: TeamsInstallation, reference: ChannelReferenceRow): Target => ({
  ...callerOf(installation.registration, reference),
  conversationId: reference.teamId ?? reference.conversationId,
});

/**
 * The app was removed from a conversation, or from a whole team. Where nothing is left of an installation, Teams is
 * shown as not connected; installed again it comes back by itself.
 * @param at when an event says that it was removed, by the platform's clock: a removal that comes late ends nothing that is alive since
 */
export async function endReferences(
  { row }: TeamsInstallation,
  where: { conversationId: string } | { teamId: string },
  at?: Date,
): Promise<void> {
  const { accountId, key: installationKey } = row;
  const before = at ? { $or: [{ aliveAt: null }, { aliveAt: { $lte: at } }] } : {};
  const ended = { channel: 'teams' as const, installationKey, endedAt: null, ...where, ...before };
  const { modifiedCount } = await ChannelReference.updateMany(ended, { $set: { endedAt: new Date() } });
  fresh.clear();
  kept.clear();
  if (modifiedCount === 0) return;
  logger.info({ account: accountId, installation: installationKey, modifiedCount }, 'Teams conversations ended');
  const left = await ChannelReference.exists({ accountId, channel: 'teams', endedAt: null });
  if (!left) {
    await noteConnection(accountId, 'teams', false, 'Arc was removed from Teams. Install the app again to go on.');
  }
}
