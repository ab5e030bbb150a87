import { type Identity, matchIdentity } from '../../engine/accounts/matchIdentity.ts';
import { refusalOf } from './client.ts';
import { clientOf, type SlackInstallation } from './installations.ts';

type SlackUser = {
  team_id?: string;
  is_bot?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_stranger?: boolean;
  deleted?: boolean;
  enterprise_user?: { enterprise_id?: string };
  real_name?: string;
  profile?: { email?: string; real_name?: string };
};

/** What Slack says of a user; undefined for one whom it does not show to us. */
async function findUser(installation: SlackInstallation, user: string): Promise<SlackUser | undefined> {
  try {
    return ((await clientOf(installation).users.info({ user })) as { user?: SlackUser }).user;
  } catch (error) {
    if (!UNSEEN.has(refusalOf(error) ?? '')) throw error;
    return undefined;
  }
}
const UNSEEN = new Set(['user_not_found', 'user_not_visible', 'users_not_found']);

/**
 * Who a Slack user is to the account. Guests, people of other organisations (Slack Connect), bots and removed users
 * are strangers, whatever their e-mail says.
 */
export function identifySlackUser(installation: SlackInstallation, userId: string): Promise<Identity> {
  const { row, tokens } = installation;
  return matchIdentity(row, 'slack', platformIdOf(installation, userId), async () => {
    const user = await findUser(installation, userId);
    // In an organisation every workspace is ours, and whoever is of none of them is not; elsewhere the one workspace is.
    const elsewhere =
      tokens.teamId === null
        ? user?.enterprise_user?.enterprise_id !== tokens.enterpriseId
        : user?.team_id !== tokens.teamId &&
          (tokens.enterpriseId === null || user?.enterprise_user?.enterprise_id !== tokens.enterpriseId);
    return {
      email: user?.profile?.email ?? null,
      name: user?.profile?.real_name ?? user?.real_name ?? 'Someone in Slack',
      stranger: Boolean(
        !user ||
          elsewhere ||
          user.is_bot ||
          user.deleted ||
          user.is_restricted ||
          user.is_ultra_restricted ||
          user.is_stranger,
      ),
    };
  });
}

/** A Slack user as the engine names them. */
export const platformIdOf = ({ row }: SlackInstallation, userId: string) => `${row.key}:${userId}`;

/** The Slack user's own id in a platform id. */
export const slackIdOf = (platformId: string) => platformId.slice(platformId.lastIndexOf(':') + 1);
