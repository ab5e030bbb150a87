import type { CrmSource } from '../../engine/connectors/crmSource.ts';
import { readJson } from '../../engine/connectors/requests.ts';

export const API = 'https://api.x.com/2';
/** Newest posts that are read. */
const MAX_POSTS = 20;

type Post = {
  id: string;
  text: string;
  created_at?: string;
  public_metrics?: { like_count: number; retweet_count: number };
};

/** Posts of the account (https://docs.x.com/x-api/users/get-posts), and X's own page to write one. */
export const posts: NonNullable<CrmSource['posts']> = {
  maxLength: 280,

  async list(access) {
    const { id, name } = access.place;
    const asked = new URLSearchParams({
      max_results: String(MAX_POSTS),
      exclude: 'retweets,replies',
      'tweet.fields': 'created_at,public_metrics',
    });
    // An account without posts has no `data`.
    const { data = [] } = await readJson<{ data?: Post[] }>(
      access,
      `${API}/users/${encodeURIComponent(id)}/tweets?${asked}`,
    );
    return data.map(({ id: postId, text, created_at = '', public_metrics }) => ({
      ...{ id: postId, text, at: created_at },
      url: `https://x.com/${encodeURIComponent(name.replace(/^@/, ''))}/status/${encodeURIComponent(postId)}`,
      likes: public_metrics?.like_count ?? 0,
      reposts: public_metrics?.retweet_count ?? 0,
    }));
  },

  composeUrl: (text) => `https://x.com/intent/post?${new URLSearchParams({ text })}`,
};
