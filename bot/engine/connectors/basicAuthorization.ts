/** The header `Authorization` with a client's id and secret, as most providers read it: not encoded before. */
export const basicAuthorization = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
