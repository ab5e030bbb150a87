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

/** Reads a user from Slack; undefined for one that the app can't see. */
async function findUser(installation: SlackInstallation, user: string): Promise<SlackUser | undefined> {
  try {
    return ((await clientOf(installation).users.info({ user })) as { user?: SlackUser }).user;
  } catch (error) {
    if (!NOT_VISIBLE.has(refusalOf(error) ?? '')) throw error;
    return undefined;
  }
}
const NOT_VISIBLE = new Set(['user_not_found', 'user_not_visible', 'users_not_found']);

/**
 * Identifies a Slack user for the account. Guests, people of other organisations (Slack Connect), bots and removed
 * users are strangers, whatever their e-mail address is.
 */
export function identifySlackUser(installation: SlackInstallation, userId: string): Promise<Identity> {
  const { row, tokens } = installation;
  return matchIdentity(row, 'slack', platformIdOf(installation, userId), async () => {
    const user = await findUser(installation, userId);
    // An organisation's installation covers all its workspaces; any other covers one workspace.
    const isElsewhere =
      tokens.teamId === null
        ? user?.enterprise_user?.enterprise_id !== tokens.enterpriseId
        : user?.team_id !== tokens.teamId &&
          (tokens.enterpriseId === null || user?.enterprise_user?.enterprise_id !== tokens.enterpriseId);
    return {
      email: user?.profile?.email ?? null,
      name: user?.profile?.real_name ?? user?.real_name ?? 'Someone in Slack',
      stranger: Boolean(
        !user ||
          isElsewhere ||
          user.is_bot ||
          user.deleted ||
          user.is_restricted ||
          user.is_ultra_restricted ||
          user.is_stranger,
      ),
    };
  });
}

/** The engine's id of a Slack user. */
export const platformIdOf = ({ row }: SlackInstallation, userId: string) => `${row.key}:${userId}`;

/** The Slack user id in a platform id. */
export const slackIdOf = (platformId: string) => platformId.slice(platformId.lastIndexOf(':') + 1);
