import { makeRecords } from './crmRecords.ts';
import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Post = { id: string; text: string; likes: number };

/**
 * X over real HTTP: PKCE required, the account and its posts, limits, and a refused refresh token that is called an invalid
 * request.
 */
export async function startTwitter(client?: Parameters<typeof startProvider>[0]) {
  const records = makeRecords();
  const posts: Post[] = [];

  function api({ method, path, query }: ApiCall): ApiAnswer | null {
    if (method !== 'GET') return { status: 403, body: { title: 'Forbidden', status: 403 } };
    if (records.takeLimit())
      return { status: 429, body: { title: 'Too Many Requests' }, headers: { 'x-rate-limit-reset': '1' } };
    if (path === '/2/users/me')
      return { status: 200, body: { data: { id: '2244994945', username: 'quillmere', name: 'Quillmere' } } };
    if (path !== '/2/users/2244994945/tweets' || query.get('exclude') !== 'retweets,replies') return null;
    const data = posts.map(({ id, text, likes }) => ({
      ...{ id, text, created_at: '2026-11-20T09:00:00.000Z' },
      public_metrics: { like_count: likes, retweet_count: 1, reply_count: 0, quote_count: 0 },
    }));
    return { status: 200, body: data.length > 0 ? { data, meta: {} } : { meta: { result_count: 0 } } };
  }

  const provider = await startProvider(client, {
    ...{ authorize: '/i/oauth2/authorize', token: '/2/oauth2/token', revoke: '/2/oauth2/revoke', api },
    refuse: (error, form) => {
      const isRenewal = form.get('grant_type') === 'refresh_token' && error === 'invalid_grant';
      return { status: error === 'invalid_client' ? 401 : 400, error: isRenewal ? 'invalid_request' : error };
    },
  });
  return {
    ...provider,
    ...{ records, posts },
    clear() {
      records.clear();
      posts.length = 0;
    },
  };
}
