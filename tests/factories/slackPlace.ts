import {
  findInstallation,
  type SlackInstallation,
  type SlackTokens,
  storeInstallation,
} from '../../bot/channels/slack/installations.ts';
import { changePreferences } from '../../bot/engine/preferences/preferences.ts';
import { Account } from '../../models/account.ts';
import { ChannelInstallation } from '../../models/channelInstallation.ts';
import { Conversation, type ConversationRow } from '../../models/conversation.ts';
import { runInAccount } from '../../models/store/context.ts';
import { unseal } from '../../models/store/encrypted.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import type { Workspace } from '../fakes/slack/methods.ts';
import type { FakeSlack } from '../fakes/slack/server.ts';
import { addMember } from './members.ts';
import { nextNumber } from './who.ts';

/** The tokens of a workspace of the fake Slack, with changes. */
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

/** The stored installation of a workspace or an organisation. */
export const readInstalled = async (key: string) =>
  requireRow(await ChannelInstallation.findOne({ channel: 'slack', key }).lean());
export const readTokens = async (key: string) => unseal<SlackTokens>((await readInstalled(key)).sealed, `slack:${key}`);

/** Connects a workspace to a new account, without a browser. */
export async function connectWorkspace(slack: FakeSlack, change: Partial<SlackTokens> = {}) {
  const accountId = nextNumber();
  const key = `T${nextNumber()}`;
  const workspace: Workspace = slack.addWorkspace(key);
  await storeInstallation(accountId, 7, workspace.name, slackTokens(key, change), false);
  const find = async () => (await findInstallation(key)) as SlackInstallation;
  const inAccount = <T>(work: () => Promise<T>): Promise<T> => runInAccount(accountId, work);
  /** A conversation in a channel of this workspace, or in one of its threads. */
  const converse = (channel: string, thread: string | null = null): Promise<ConversationRow> =>
    inAccount(async () => {
      const address = { channel: 'slack', conversation: `${key}:${channel}`, thread };
      const row = await Conversation.create({ accountId, key: String(nextNumber()), address } as never);
      return (row as unknown as { toObject(): ConversationRow }).toObject();
    });
  return {
    accountId,
    key,
    workspace,
    find,
    converse,
    inAccount,
    /** The messages posted in the workspace. */
    posted: () => [...workspace.messages.values()],
    /** The arguments of a method's calls for this workspace. */
    bodiesOf: (method: string) => slack.callsOf(method, workspace).map(({ body }) => body),
    /** Consents to sending every kind of content to Slack. */
    async consentToAll(): Promise<void> {
      const owner = await addMember({ accountId });
      await Account.create({ _id: accountId, name: 'Quillmere' });
      await inAccount(() => changePreferences(owner, { channelConsent: { slack: 'full', teams: 'full' } }));
    },
  };
}
