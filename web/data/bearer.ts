let token: string | null = null;

/** Sends a token with every call from now on: where the page is framed by another site, no cookie goes along. */
export function setBearer(given: string): void {
  token = given;
}

/** The token that calls carry; null where the session's cookie does. */
export const bearer = () => token;

/** The header that says it. */
export const bearerHeader = (): Record<string, string> => (token ? { Authorization: `Bearer ${token}` } : {});
