import type { Integration } from './integration.ts';

/** What everyone knows of a channel: the pages, the kernel and the channel itself. */
export type ChannelCard = {
  /** As it stands in paths, payloads and stored rows: it never changes. */
  id: string;
  /** As people call the platform. */
  name: string;
  /** Where its questions show, each with how it is called in "Approved by Ada Okafor in …". */
  surfaces: Record<string, string>;
  /** The surface on which words answer. */
  wordsOn: string;
  /** Whether what is shown goes to another company's servers: then an account says how much may leave. */
  isRemote: boolean;
  /** How it stands on the integration screens; `aliases` are further names of it in calls. */
  integration: Pick<Integration, 'id' | 'name' | 'icon' | 'description' | 'oauthUrl'> & { aliases: readonly string[] };
  /** The page of its status and setup; absent where it needs none. */
  page?: string;
  /** The variables of the environment that it needs; it is off while any is empty. */
  needs: readonly string[];
};
