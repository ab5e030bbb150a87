import type { App } from '@slack/bolt';
import { suggestedPrompts } from '../../../../manifests/slack.ts';
import { slackCard } from '../../../../models/contracts/slack/card.ts';
import { logger } from '../../../../models/logger.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { withdrawnText } from '../../../engine/grants/brokenTexts.ts';
import { cancelRunsAt } from '../../../engine/workflows/cancelRun.ts';
import { addressOf } from '../address.ts';
import { publishHome, publishStrangerHome } from '../home.ts';
import { acceptSlackMessage, installationFrom, type SlackMessage, type Source } from '../inbound.ts';
import { clientOf, keyOf, removeInstallation } from '../installations.ts';
import { identifySlackUser } from '../people.ts';
import { finishInTime } from './inTime.ts';

const PROMPTS = suggestedPrompts();

const REMOVED_TEXT = 'Arc was removed from the workspace. Connect it again to continue.';

const eventTimeOf = ({ event_time: seconds }: { event_time: number }) => ({ happenedAt: new Date(seconds * 1000) });

/** Listeners for Slack's events. */
export function registerEvents(app: App): void {
  app.event('app_mention', async ({ event, context }) => {
    const installation = await installationFrom(context as Source);
    if (installation) await acceptSlackMessage(installation, event as SlackMessage, true);
  });

  app.event('message', async ({ event, context }) => {
    const installation = await installationFrom(context as Source);
    if (installation) await acceptSlackMessage(installation, event as unknown as SlackMessage, false);
  });

  app.event('app_home_opened', async ({ event, context }) => {
    const installation = await installationFrom(context as Source);
    if (!installation) return;
    const work = runInAccount(installation.row.accountId, async () => {
      if (event.tab === 'messages') {
        const client = clientOf(installation);
        await client.assistant.threads
          .setSuggestedPrompts({ channel_id: event.channel, prompts: PROMPTS })
          .catch((error: unknown) => logger.debug({ err: error }, 'suggested prompts'));
        return;
      }
      const { who } = await identifySlackUser(installation, event.user);
      if (who) await publishHome(installation, event.user);
      else await publishStrangerHome(installation, event.user);
    });
    await finishInTime(work);
  });

  app.event('app_uninstalled', async ({ context, body }) => {
    const installation = await installationFrom(context as Source);
    if (!installation) return;
    const { key } = installation.row;
    // Removed from one workspace, the organisation's installation may still be valid. If it is not, its client ends it.
    if (key === keyOf(context as Source)) await removeInstallation(key, REMOVED_TEXT, eventTimeOf(body));
    else
      await clientOf(installation)
        .auth.test()
        .catch((error: unknown) => logger.debug({ err: error }, 'auth.test'));
  });

  app.event('tokens_revoked', async ({ event, context, body }) => {
    if (event.tokens.bot?.length) {
      await removeInstallation(keyOf(context as Source), withdrawnText(slackCard.name), eventTimeOf(body));
    }
  });

  app.event('agent_session_stopped', async ({ event, context }) => {
    const { channel, thread_ts: thread, user } = event;
    const installation = await installationFrom(context as Source);
    if (!installation) return;
    const { row } = installation;
    const work = runInAccount(row.accountId, async () => {
      const { who } = await identifySlackUser(installation, user);
      if (who) await cancelRunsAt(who, addressOf({ key: row.key, channel, thread }));
    });
    await finishInTime(work);
  });
}
