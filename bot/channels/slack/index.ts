import { slackManifest } from '../../../manifests/slack.ts';
import { slackTest } from '../../../models/contracts/channelStatus.ts';
import { slackConfigured } from '../../../models/env.ts';
import { notConfiguredText } from '../../engine/accounts/integrations.ts';
import { defineCall } from '../../engine/calls/call.ts';
import { defineChannel } from '../../engine/delivery/plugIn.ts';

const NAME = 'Slack';

export const slack = defineChannel({
  id: 'slack',
  name: NAME,
  environment: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN', 'SLACK_API_URL'],
  isConfigured: slackConfigured,
  async open() {
    const { makeSlackApp } = await import('./app.ts');
    const { slackConnector } = await import('./install.ts');
    const { router, stop } = await makeSlackApp();
    return { serve: router, connector: slackConnector, stop };
  },
  calls: [
    defineCall(slackTest, async ({ who }) => {
      const error = slackConfigured()
        ? await (await import('./install.ts')).testSlack(who.accountId)
        : notConfiguredText(NAME);
      return { success: error === null, error };
    }),
  ],
  manifest: {
    use: '--url https://arc.example.org [--socket-mode] [--out FILE]',
    write: ({ baseUrl, has }) => ({
      bytes: `${JSON.stringify(slackManifest(baseUrl, has('--socket-mode')), null, 2)}\n`,
    }),
  },
});
