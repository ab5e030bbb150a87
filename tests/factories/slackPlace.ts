import {
  findInstallation,
  type SlackInstallation,
  type SlackTokens,
  storeInstallation,
} from '../../bot/channels/slack/installations.ts';
import { Conversation, type ConversationRow } from '../../models/conversation.ts';
import { runInAccount } from '../../models/store/context.ts';
import type { Workspace } from '../fakes/slack/methods.ts';
import type { FakeSlack } from '../fakes/slack/server.ts';
import { nextNumber } from './who.ts';

/** The tokens of a workspace of the Slack that stands here, or others. */
export const slackTokens = (team: string, change: Partial<SlackTokens> = {}): SlackTokens => ({
  botToken: `xoxb-${team}`,
  botUserId: `UBOT${team}`,
  botId: `B${team}`,
  refreshToken: null,
  expiresAt: null,
  teamId: team,
  enterpriseId: null,
  ...change,
});

/** A workspace that an account has connected, without a browser. */
export async function connectWorkspace(slack: FakeSlack, change: Partial<SlackTokens> = {}) {
  const accountId = nextNumber();
  const key = `T${nextNumber()}`;
  const workspace: Workspace = slack.addWorkspace(key);
  await storeInstallation(accountId, 7, workspace.name, slackTokens(key, change), false);
  const find = async () => (await findInstallation(key)) as SlackInstallation;
  /** A conversation in a channel, or a thread of it, of this workspace. */
  const converse = (channel: string, thread: string | null = null): Promise<ConversationRow> =>
    runInAccount(accountId, async () => {
      const address = { channel: 'slack', conversation: `${key}:${channel}`, thread };
      const row = await Conversation.create({ accountId, key: String(nextNumber()), address } as never);
      return (row as unknown as { toObject(): ConversationRow }).toObject();
    });
  return { accountId, key, workspace, find, converse };
}
