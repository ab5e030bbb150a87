import { slackManifest } from '../../../manifests/slack.ts';
import { slackTest } from '../../../models/contracts/slack/calls.ts';
import { slackCard } from '../../../models/contracts/slack/card.ts';
import { isConfigured } from '../../../models/env.ts';
import { notConfiguredText } from '../../engine/accounts/integrations.ts';
import { defineCall } from '../../engine/calls/call.ts';
import { defineChannel } from '../../engine/delivery/plugIn.ts';

export const slack = defineChannel({
  card: slackCard,
  environment: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN', 'SLACK_API_URL'],
  async open() {
    const { makeSlackApp } = await import('./app.ts');
    const { slackConnector } = await import('./install.ts');
    const { router, stop } = await makeSlackApp();
    return { serve: router, connector: slackConnector, stop };
  },
  revoke: async (installation, signal) => (await import('./installations.ts')).revokeTokens(installation, signal),
  calls: [
    defineCall(slackTest, async ({ who }) => {
      const error = isConfigured(slackCard)
        ? await (await import('./install.ts')).testSlack(who.accountId)
        : notConfiguredText(slackCard.name);
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
