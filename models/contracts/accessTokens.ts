import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { shownName } from './oneLine.ts';
import { TOKEN_SCOPE_NAMES } from './tokenScopes.ts';

/** Days until a new token expires; null for never. */
export const TOKEN_LIFETIMES = [30, 90, 365, null] as const;

const accessToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPE_NAMES)),
  /** The secret's last four characters, to tell tokens apart. */
  ending: z.string(),
  madeBy: z.string(),
  createdAt: isoDate,
  /** At most a minute old; null where it was never used. */
  lastUsedAt: isoDate.nullable(),
  expiresAt: isoDate.nullable(),
  /** Webhooks that were given up, and why the last one was; null where there are none. */
  failedWebhooks: z.object({ count: z.number().int(), lastError: z.string(), questionId: z.number().int() }).nullable(),
});
export type AccessTokenView = z.infer<typeof accessToken>;

export const listAccessTokens = endpoint({
  method: 'get',
  path: '/api/access-tokens',
  summary: 'The company’s access tokens newest first; never their secrets',
  policy: 'owner',
  answer: z.object({ tokens: z.array(accessToken) }),
});

export const makeAccessToken = endpoint({
  method: 'post',
  path: '/api/access-tokens',
  summary: 'Make an access token. This answer is the only one that holds its two secrets',
  policy: 'owner',
  rate: 'accessTokens',
  body: z.object({
    name: shownName(LIMITS.accessTokens.name, 'Name the program that will use it.'),
    scopes: z
      .array(z.enum(TOKEN_SCOPE_NAMES))
      .min(1, 'Choose at least one thing that it may do.')
      .max(TOKEN_SCOPE_NAMES.length),
    expiresInDays: z.union(TOKEN_LIFETIMES.map((days) => z.literal(days))),
  }),
  status: 201,
  answer: z.object({
    token: accessToken,
    /** The bearer token. */
    secret: z.string(),
    /** The key that signs its webhooks, in the form of the Standard Webhooks specification. */
    webhookSecret: z.string(),
  }),
});

export const revokeAccessToken = endpoint({
  method: 'delete',
  path: '/api/access-tokens/:id',
  summary: 'Revoke an access token. Its open questions are withdrawn, and its webhooks end',
  policy: 'owner',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
  answer: z.object({ success: z.literal(true) }),
});
