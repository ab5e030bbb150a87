import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { logger } from '../../../models/logger.ts';
import { consentFor } from '../../engine/delivery/consent.ts';
import { PermanentError } from '../../engine/delivery/permanentError.ts';
import { listQuestions } from '../../engine/interrupts/listQuestions.ts';
import { HOME_FILTERS, type HomeFilter, homeView } from './cards/homeView.ts';
import { clientOf, findInstallation, installationsOf, type SlackInstallation } from './installations.ts';
import { makeLastWord } from './lastWord.ts';
import { identifySlackUser, platformIdOf, slackIdOf } from './people.ts';

const MOST_HOMES = 200;

/** One drawing at a time for each person: what was read before something changed is never drawn over it. */
const lastWord = makeLastWord();
const draw = (installation: SlackInstallation, slackUserId: string, drawing: () => Promise<void>) =>
  lastWord(`${installation.row.accountId}:${platformIdOf(installation, slackUserId)}`, drawing);

/** Draws App Home for one member, with the part of the inbox that they looked at last. */
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

/** Keeps which part of the inbox a member looks at, and draws it. */
export async function filterHome(installation: SlackInstallation, slackUserId: string, filter: HomeFilter) {
  const { accountId } = installation.row;
  const platformId = platformIdOf(installation, slackUserId);
  await ChannelIdentity.updateOne({ accountId, channel: 'slack', platformId }, { $set: { inboxFilter: filter } });
  await publishHome(installation, slackUserId);
}

/** What someone sees at Home who is no member, or is none any more. */
export async function publishStranger(installation: SlackInstallation, user: string): Promise<void> {
  const text =
    'This is the inbox of an Arc account. You see it once its owner has invited you with the e-mail that you use here.';
  const view = {
    type: 'home' as const,
    blocks: [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text } }],
  };
  await draw(installation, user, async () => {
    await clientOf(installation).views.publish({ user_id: user, view });
  });
}

/** Draws App Home anew for every member who is known in the account's workspaces. */
export async function publishHomes(accountId: number): Promise<void> {
  const passing: unknown[] = [];
  for (const row of await installationsOf(accountId)) {
    const installation = await findInstallation(row.key);
    if (!installation) continue;
    const members = await ChannelIdentity.find({ accountId, channel: 'slack', userId: { $ne: null }, stranger: false })
      .limit(MOST_HOMES)
      .lean();
    for (const { platformId } of members.filter((one) => one.platformId.startsWith(`${row.key}:`))) {
      const user = slackIdOf(platformId);
      // Asked again whether they still are a member; one who can't be reached keeps nobody else from seeing.
      await identifySlackUser(installation, user)
        .then(({ who }) => (who ? publishHome(installation, user) : publishStranger(installation, user)))
        .catch((error: unknown) => {
          logger.warn({ err: error, user }, 'a Home could not be drawn');
          if (!(error instanceof PermanentError)) passing.push(error);
        });
    }
  }
  // What may be drawn yet is drawn again: buttons of an answered question must not stay.
  if (passing.length > 0) throw passing[0];
}
