import { type Identity, matchIdentity } from '../../engine/accounts/matchIdentity.ts';
import { clientOf, type SlackInstallation } from './installations.ts';

type SlackUser = {
  team_id?: string;
  is_bot?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_stranger?: boolean;
  deleted?: boolean;
  real_name?: string;
  profile?: { email?: string; real_name?: string };
};

/**
 * Who a Slack user is to the account. Guests, people of other organisations (Slack Connect), bots and removed users
 * are strangers, whatever their e-mail says.
 */
export function identifySlackUser(installation: SlackInstallation, userId: string): Promise<Identity> {
  const { row, tokens } = installation;
  return matchIdentity(row, 'slack', `${row.key}:${userId}`, async () => {
    const { user } = (await clientOf(installation).users.info({ user: userId })) as { user?: SlackUser };
    const elsewhere =
      tokens.teamId !== null &&
      user?.team_id !== undefined &&
      user.team_id !== tokens.teamId &&
      tokens.enterpriseId === null;
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

/** The Slack user's own id in a platform id. */
export const slackIdOf = (platformId: string) => platformId.slice(platformId.lastIndexOf(':') + 1);
