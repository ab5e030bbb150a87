let token: string | null = null;

/** Sets the token that every later call sends: browsers send no cookie if another site frames the page. */
export function setBearer(given: string): void {
  token = given;
}

/** The token; null if calls rely on the session cookie. */
export const bearer = () => token;

/** The Authorization header; empty without a token. */
export const bearerHeader = (): Record<string, string> => (token ? { Authorization: `Bearer ${token}` } : {});
