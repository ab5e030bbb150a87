import { Types } from 'mongoose';
import { ChannelReference, type ChannelReferenceRow } from '../../../../models/channelReference.ts';
import { logger } from '../../../../models/logger.ts';
import { makeCache } from '../../../../models/store/cache.ts';
import { changes } from '../../../../models/store/revisions.ts';
import { noteConnection, readIntegrations } from '../../../engine/accounts/integrations.ts';
import { type Caller, happenedAt, kindOf, type Received, type Target } from '../platform/activity.ts';
import { conversationIdOf, placeOfConversation, type TeamsPlace } from '../platform/address.ts';
import type { TeamsInstallation } from './installations.ts';

/** An unchanged reference is written again after this time, so that `aliveAt` stays recent. */
const REWRITE_AFTER_MS = 60 * 60_000;
/** Another process may end a cached reference; then Teams refuses the next call. */
const CACHE_MS = 30_000;
const MAX_CACHED = 50_000;
const recentWrites = makeCache<string, string>(REWRITE_AFTER_MS, MAX_CACHED);
const references = makeCache<string, ChannelReferenceRow>(CACHE_MS, MAX_CACHED);
// The installation may have ended or moved to another account.
changes.on('changed', (_accountId, topics) => {
  if (!topics.includes('integrations')) return;
  recentWrites.clear();
  references.clear();
});

function remember(row: ChannelReferenceRow): ChannelReferenceRow {
  references.set(row.key, row);
  return row;
}

type ReferenceFields = Omit<ChannelReferenceRow, '_id' | 'accountId' | 'endedAt' | 'refreshedAt' | 'aliveAt'>;

const referenceKey = (it: Pick<TeamsPlace, 'key' | 'conversationId'>) => `${it.key}/${it.conversationId}`;

/** The reference of the conversation that an activity came from. */
export function readReference(installationKey: string, activity: Received): ReferenceFields {
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
 * Stores the conversation that an activity came from, so that Arc can write there at any time. Must be called inside
 * the account.
 * @param isAdded true where the app was added: the time is then always stored, so that a late removal event ends
 * nothing
 */
export async function refreshReference(
  installation: TeamsInstallation,
  activity: Received,
  isAdded = false,
): Promise<void> {
  const { accountId } = installation.row;
  const fields = readReference(installation.row.key, activity);
  const written = JSON.stringify({ accountId, ...fields });
  if (!isAdded && recentWrites.get(fields.key) === written) return;
  await keepReference(accountId, fields, happenedAt(activity));
  recentWrites.set(fields.key, written);
}

/** Stores a reference. Must be called inside the account. */
export async function keepReference(accountId: number, fields: ReferenceFields, aliveAt?: Date): Promise<void> {
  await writeReference(accountId, fields, aliveAt);
  const { teams } = await readIntegrations(accountId);
  // Teams counts as connected once the app is installed, which the first activity shows.
  if (!teams?.authenticated) await noteConnection(accountId, 'teams', true);
}

async function writeReference(accountId: number, fields: ReferenceFields, aliveAt?: Date): Promise<void> {
  const row = await ChannelReference.findOneAndUpdate(
    { accountId, channel: 'teams', key: fields.key },
    {
      $set: { ...fields, endedAt: null, refreshedAt: new Date() },
      ...(aliveAt ? { $max: { aliveAt } } : {}),
      $setOnInsert: { _id: new Types.ObjectId(), accountId },
    },
    { upsert: true, returnDocument: 'after' },
  ).lean();
  if (row) remember(row);
}

/** Stores a personal chat that Arc opened itself. */
export async function keepPersonal(of: ChannelReferenceRow, userId: string, conversationId: string): Promise<void> {
  const { accountId, installationKey, serviceUrl, botId } = of;
  const key = referenceKey({ key: installationKey, conversationId });
  const fields = { channel: 'teams' as const, installationKey, serviceUrl, botId };
  await writeReference(accountId, {
    ...fields,
    key,
    conversationId,
    kind: 'personal',
    userId,
    directoryId: null,
    teamId: null,
  });
}

/** The reference of a place; null where there is none or the app was removed. */
export async function findReference(place: TeamsPlace): Promise<ChannelReferenceRow | null> {
  const key = referenceKey(place);
  const known = references.get(key);
  if (known) return known;
  const row = await ChannelReference.findOne({ channel: 'teams', key, endedAt: null }).lean();
  return row && remember(row);
}

/** The personal chat with a person, by their Teams id or directory id. */
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
export async function findAnyReference(installationKey: string): Promise<ChannelReferenceRow | null> {
  return ChannelReference.findOne({ channel: 'teams', installationKey, endedAt: null })
    .sort({ refreshedAt: -1 })
    .lean();
}

/** The app that calls a conversation's connector. */
export const callerOf = (
  { appId, tenantId }: TeamsInstallation['registration'],
  { serviceUrl }: Pick<ChannelReferenceRow, 'serviceUrl'>,
): Caller => ({ appId, tenantId, serviceUrl });

/** The target for activities to a place. */
export function targetOf(
  { registration }: TeamsInstallation,
  reference: ChannelReferenceRow,
  place: TeamsPlace,
): Target {
  return { ...callerOf(registration, reference), conversationId: conversationIdOf(place) };
}

/** The target whose roster has the people of a conversation: the team for its channels, else the conversation. */
export const rosterOf = (installation: TeamsInstallation, reference: ChannelReferenceRow): Target => ({
  ...callerOf(installation.registration, reference),
  conversationId: reference.teamId ?? reference.conversationId,
});

/**
 * Ends the references of a conversation or a whole team that the app was removed from. If the account has none left,
 * Teams is shown as not connected; installing the app again connects it.
 * @param at the time of the removal, by the platform's clock; references with a later sign of life stay
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
  recentWrites.clear();
  references.clear();
  if (modifiedCount === 0) return;
  logger.info({ account: accountId, installation: installationKey, modifiedCount }, 'Teams conversations ended');
  const left = await ChannelReference.exists({ accountId, channel: 'teams', endedAt: null });
  if (!left) {
    await noteConnection(accountId, 'teams', false, 'Arc was removed from Teams. Install the app again to continue.');
  }
}
