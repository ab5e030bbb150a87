import type { Policy } from '../contracts/endpoint.ts';
import type { Who } from './who.ts';

type Rule = (who: Who | null) => 'yes' | 'sign-in' | 'no';

/** The check behind each route policy for a session: `yes`, `no`, or `sign-in` where nobody is signed in. */
export const ROUTE_POLICIES: Record<Policy, Rule> = {
  public: () => 'yes',
  'signed-in': (who) => (who ? 'yes' : 'sign-in'),
  owner: (who) => (who ? (who.roles.includes('owner') ? 'yes' : 'no') : 'sign-in'),
  // Bound to access tokens by api/middleware/tokenAccess.ts; no session may call it.
  token: () => 'no',
  admin: (who) => (who ? (who.isAdmin ? 'yes' : 'no') : 'sign-in'),
};
