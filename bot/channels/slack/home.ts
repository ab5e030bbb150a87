import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { logger } from '../../../models/logger.ts';
import { consentFor } from '../../engine/delivery/consent.ts';
import { PermanentError } from '../../engine/delivery/permanentError.ts';
import { listQuestions } from '../../engine/interrupts/listQuestions.ts';
import { HOME_FILTERS, type HomeFilter, homeView } from './cards/homeView.ts';
import { makeCoalescer } from './coalesce.ts';
import { clientOf, findInstallation, installationsOf, type SlackInstallation } from './installations.ts';
import { identifySlackUser, platformIdOf, slackIdOf } from './people.ts';

const MAX_HOMES = 200;

/** One drawing at a time for each person, so that an older state is never drawn over a newer one. */
const coalesce = makeCoalescer();
const draw = (installation: SlackInstallation, slackUserId: string, drawing: () => Promise<void>) =>
  coalesce(`${installation.row.accountId}:${platformIdOf(installation, slackUserId)}`, drawing);

/** Draws App Home for one member, with the filter that they chose last. */
export const publishHome = (installation: SlackInstallation, slackUserId: string): Promise<void> =>
  draw(installation, slackUserId, () => drawInbox(installation, slackUserId));

async function drawInbox(installation: SlackInstallation, slackUserId: string): Promise<void> {
  const { accountId } = installation.row;
  const platformId = platformIdOf(installation, slackUserId);
  const [questions, mode, identity] = await Promise.all([
    listQuestions(accountId),
    consentFor(accountId, 'slack'),
    ChannelIdentity.findOne({ accountId, channel: 'slack', platformId }, { inboxFilter: 1 }).lean(),
  ]);
  const filter = HOME_FILTERS.find((it) => it === identity?.inboxFilter) ?? 'pending';
  await clientOf(installation).views.publish({ user_id: slackUserId, view: homeView(questions, mode, filter) });
}

/** Saves a member's filter of the inbox and redraws App Home. */
export async function filterHome(installation: SlackInstallation, slackUserId: string, filter: HomeFilter) {
  const { accountId } = installation.row;
  const platformId = platformIdOf(installation, slackUserId);
  await ChannelIdentity.updateOne({ accountId, channel: 'slack', platformId }, { $set: { inboxFilter: filter } });
  await publishHome(installation, slackUserId);
}

/** Draws App Home for somebody who is not a member, or no longer one. */
export async function publishStrangerHome(installation: SlackInstallation, user: string): Promise<void> {
  const text =
    'This is the inbox of an Arc account. You’ll see it once its owner has invited you with the e-mail that you use here.';
  const view = {
    type: 'home' as const,
    blocks: [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text } }],
  };
  await draw(installation, user, async () => {
    await clientOf(installation).views.publish({ user_id: user, view });
  });
}

/** Redraws App Home for every known member in the account's workspaces. */
export async function publishHomes(accountId: number): Promise<void> {
  const retryable: unknown[] = [];
  for (const row of await installationsOf(accountId)) {
    const installation = await findInstallation(row.key);
    if (!installation) continue;
    const members = await ChannelIdentity.find({ accountId, channel: 'slack', userId: { $ne: null }, stranger: false })
      .limit(MAX_HOMES)
      .lean();
    for (const { platformId } of members.filter((one) => one.platformId.startsWith(`${row.key}:`))) {
      const user = slackIdOf(platformId);
      // The membership is checked again. A failure for one person must not block the others.
      await identifySlackUser(installation, user)
        .then(({ who }) => (who ? publishHome(installation, user) : publishStrangerHome(installation, user)))
        .catch((error: unknown) => {
          logger.warn({ err: error, user }, 'could not draw App Home');
          if (!(error instanceof PermanentError)) retryable.push(error);
        });
    }
  }
  // Throwing makes the outbox retry: buttons of an answered question must not stay.
  if (retryable.length > 0) throw retryable[0];
}
