import type { Integration } from './integration.ts';

/** What pages, kernel and channel share about a channel. */
export type ChannelCard = {
  /** Id in paths, payloads and stored rows; never changes. */
  id: string;
  /** Display name of the platform. */
  name: string;
  /** The surfaces that show its questions, each with its name in "Approved by Ada Okafor in …". */
  surfaces: Record<string, string>;
  /** The surface on which people answer in words. */
  wordsOn: string;
  /** Whether content goes to another company's servers; then the account's consent mode applies. */
  isRemote: boolean;
  /** Its entry on the integration screens; `aliases` are further names in API calls. */
  integration: Pick<Integration, 'id' | 'name' | 'icon' | 'description' | 'oauthUrl'> & { aliases: readonly string[] };
  /** The page of its status and setup; absent where it needs none. */
  page?: string;
  /** Environment variables that it needs; it is off while any is empty. */
  needs: readonly string[];
};
