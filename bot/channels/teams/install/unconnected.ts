import { runInBackground } from '../../../../models/background.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { logger } from '../../../../models/logger.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { UnconnectedCall, type UnconnectedCallRow } from '../../../../models/unconnectedCall.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { kindOf, type Received, tenantOf } from '../platform/activity.ts';
import { installationKeyOf } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';
import { isForAgent } from '../talk/inbound.ts';
import { notConnectedText, recordClaim } from './claims.ts';
import { findInstallation } from './installations.ts';

/** How long one process's claim on a call lasts. */
const CLAIM_MS = 60_000;
const BACK_OFF_MS = 5000;
const MAX_ATTEMPTS = 5;

/**
 * Stores a call from an organisation that nobody has connected: one write before the acknowledgement, keyed by the
 * activity. The caller is then identified and answered once, however often Teams sends the activity.
 */
export async function storeUnconnectedCall(activity: Received, appId: string): Promise<void> {
  const isInstalled = activity.type === 'installationUpdate' && activity.action === 'add';
  const isMessage = activity.type === 'message' && isForAgent(activity);
  if (!isInstalled && !isMessage) return;
  const now = new Date();
  const row: UnconnectedCallRow = {
    _id: `${installationKeyOf(appId, tenantOf(activity))}/${activity.conversation.id}/${activity.id}`,
    appId,
    activity: withoutText(activity),
    status: 'due',
    attempts: 0,
    dueAt: now,
    createdAt: now,
  };
  if (!(await onceByKey(() => UnconnectedCall.create(row)))) return;
  runInBackground('answering an organisation that is not connected', answerCall(row));
}

/** Only the fields that are needed to identify the caller and to answer; the text is not stored. */
function withoutText(activity: Received): Received {
  const { type, id, action, serviceUrl, from, recipient, conversation, channelData } = activity;
  const { tenant, team, channel } = channelData ?? {};
  return {
    type,
    id,
    serviceUrl,
    from,
    recipient,
    conversation,
    channelData: { ...(tenant ? { tenant } : {}), ...(team ? { team } : {}), ...(channel ? { channel } : {}) },
    ...(action ? { action } : {}),
  };
}

/** Retries calls whose answer failed or was interrupted. */
export async function sweepUnconnected(): Promise<void> {
  const due = { status: 'due' as const, dueAt: { $lte: new Date() } };
  const rows = await UnconnectedCall.find(due).sort({ dueAt: 1 }).limit(50).lean();
  for (const row of rows) await answerCall(row);
}

/** Claims and answers one call. Does not throw when Teams refuses. */
async function answerCall({ _id, dueAt, attempts, ...row }: UnconnectedCallRow): Promise<void> {
  const claimed = await UnconnectedCall.updateOne(
    { _id, status: 'due', dueAt },
    { $set: { dueAt: new Date(Date.now() + CLAIM_MS) }, $inc: { attempts: 1 } },
  );
  if (claimed.modifiedCount !== 1) return;
  const shouldRetry = await notifyCaller(row.activity as Received, row.appId).then(
    () => false,
    (error: unknown) => {
      logger.info({ err: error }, 'could not answer a call from an organisation that is not connected');
      return isRetryable(error) && attempts + 1 < MAX_ATTEMPTS;
    },
  );
  const next = new Date(Date.now() + BACK_OFF_MS * 2 ** attempts);
  await UnconnectedCall.updateOne({ _id }, { $set: shouldRetry ? { dueAt: next } : { status: 'done' } });
}

const isRetryable = (error: unknown) =>
  !(error instanceof PermanentError) && (!(error instanceof AppError) || error.code === 'teams_unavailable');

/** Records a claim where an owner called, and tells the caller privately what to do next. */
async function notifyCaller(activity: Received, appId: string): Promise<void> {
  // The organisation was connected meanwhile.
  if (await findInstallation(installationKeyOf(appId, tenantOf(activity)))) return;
  const isWaiting = await recordClaim(activity, appId, tenantOf(activity));
  // After an installation only an owner has something to do.
  if (activity.type !== 'message' && !isWaiting) return;
  const { serviceUrl, conversation, recipient, from } = activity;
  const caller = { appId, tenantId: tenantOf(activity), serviceUrl };
  const isPersonal = kindOf(activity) === 'personal';
  const who = { botId: recipient.id, userId: from.id };
  const conversationId = isPersonal ? conversation.id : await connector().openPersonal(caller, who);
  const text = notConnectedText(isWaiting);
  await connector().send({ ...caller, conversationId }, { type: 'message', text, textFormat: 'plain' });
}
