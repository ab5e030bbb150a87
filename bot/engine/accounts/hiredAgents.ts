import { AppError } from '../../../models/contracts/errors.ts';
import { HIRED, UserAgent, type UserAgentRow } from '../../../models/userAgent.ts';

/** The agents that an account has hired, oldest first. */
export const readHiredAgents = (accountId: number): Promise<UserAgentRow[]> =>
  UserAgent.find({ accountId, ...HIRED })
    .sort({ hiredAt: 1 })
    .lean();

/** One of the agents that an account has hired. @throws AppError not_found */
export async function requireHiredAgent(accountId: number, userAgentId: number): Promise<UserAgentRow> {
  const row = await UserAgent.findOne({ _id: userAgentId, accountId, ...HIRED }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}
