import type { CrmPost } from '../connectors/crmSource.ts';
import { readCrmTools } from './readContacts.ts';

/**
 * The newest posts of the company's connected account; null where no tool with posts is connected.
 * @throws AppError as the connection does
 */
export async function readPosts(accountId: number): Promise<{ name: string; posts: CrmPost[] } | null> {
  for (const { source, connection, name } of await readCrmTools(accountId)) {
    const { posts } = source;
    if (posts) return { name, posts: await connection.use(accountId, (access) => posts.list(access)) };
  }
  return null;
}

/**
 * Prepares a post in a connected tool, which publishes nothing.
 * @returns a sentence with the link at which a person finds the text and posts it; null where no tool with posts is
 *   connected, or the text is too long for it
 */
export async function preparePost(accountId: number, text: string): Promise<string | null> {
  for (const { source, name } of await readCrmTools(accountId)) {
    const { posts } = source;
    // As characters, not as UTF-16; the tool's own count may differ, and its page shows it.
    if (posts && [...text].length <= posts.maxLength)
      return `The post is ready for ${name}, not posted: open ${posts.composeUrl(text)}, read it and post it there.`;
  }
  return null;
}
