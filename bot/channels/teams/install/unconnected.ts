import { runInBackground } from '../../../../models/background.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { logger } from '../../../../models/logger.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { UnconnectedCall, type UnconnectedCallRow } from '../../../../models/unconnectedCall.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { kindOf, type Received, tenantOf } from '../platform/activity.ts';
import { installationKeyOf } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';
import { isMeant } from '../talk/inbound.ts';
import { notConnectedText, noteClaim } from './claims.ts';
import { findInstallation } from './installations.ts';

/** A call that is being answered is left alone by every other process for this long. */
const CLAIM_MILLISECONDS = 60_000;
const BACK_OFF_MILLISECONDS = 5000;
const MAX_ATTEMPTS = 5;

/**
 * Takes a call from an organisation that nobody has connected: one write, keyed by the activity, before it is
 * acknowledged. Who called is found out and told afterwards, once, however often Teams sends the activity.
 */
export async function takeUnconnected(activity: Received, appId: string): Promise<void> {
  const installed = activity.type === 'installationUpdate' && activity.action === 'add';
  const spoke = activity.type === 'message' && isMeant(activity);
  if (!installed && !spoke) return;
  const now = new Date();
  const row: UnconnectedCallRow = {
    _id: `${installationKeyOf(appId, tenantOf(activity))}/${activity.conversation.id}/${activity.id}`,
    appId,
    activity: withoutWords(activity),
    status: 'due',
    attempts: 0,
    dueAt: now,
    createdAt: now,
  };
  if (!(await onceByKey(() => UnconnectedCall.create(row)))) return;
  runInBackground('answering an organisation that is not connected', answer(row));
}

/** What is needed to find out who called and to tell them. */
function withoutWords(activity: Received): Received {
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

/** Answers the calls whose first answer failed, or was never made. */
export async function sweepUnconnected(): Promise<void> {
  const due = { status: 'due' as const, dueAt: { $lte: new Date() } };
  const rows = await UnconnectedCall.find(due).sort({ dueAt: 1 }).limit(50).lean();
  for (const row of rows) await answer(row);
}

/** Answers one call, if no other process does. Never throws for what Teams refuses. */
async function answer({ _id, dueAt, attempts, ...row }: UnconnectedCallRow): Promise<void> {
  const claimed = await UnconnectedCall.updateOne(
    { _id, status: 'due', dueAt },
    { $set: { dueAt: new Date(Date.now() + CLAIM_MILLISECONDS) }, $inc: { attempts: 1 } },
  );
  if (claimed.modifiedCount !== 1) return;
  const again = await tell(row.activity as Received, row.appId).then(
    () => false,
    (error: unknown) => {
      logger.info({ err: error }, 'someone of an organisation that is not connected could not be told');
      return isPassing(error) && attempts + 1 < MAX_ATTEMPTS;
    },
  );
  const next = new Date(Date.now() + BACK_OFF_MILLISECONDS * 2 ** attempts);
  await UnconnectedCall.updateOne({ _id }, { $set: again ? { dueAt: next } : { status: 'done' } });
}

const isPassing = (error: unknown) =>
  !(error instanceof PermanentError) && (!(error instanceof AppError) || error.code === 'teams_unavailable');

/** Notes that an owner called, and tells whoever called, alone, what can be done. */
async function tell(activity: Received, appId: string): Promise<void> {
  // Connected since: what is said from now on is answered.
  if (await findInstallation(installationKeyOf(appId, tenantOf(activity)))) return;
  const waits = await noteClaim(activity, appId, tenantOf(activity));
  // Installing says nothing; only its owner has something to do.
  if (activity.type !== 'message' && !waits) return;
  const { serviceUrl, conversation, recipient, from } = activity;
  const caller = { appId, tenantId: tenantOf(activity), serviceUrl };
  const personal = kindOf(activity) === 'personal';
  const who = { botId: recipient.id, userId: from.id };
  const conversationId = personal ? conversation.id : await connector().openPersonal(caller, who);
  const text = notConnectedText(waits);
  await connector().send({ ...caller, conversationId }, { type: 'message', text, textFormat: 'plain' });
}
