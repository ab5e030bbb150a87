/** A person in a tenant's directory, as the roster returns them. */
export type TeamsUser = {
  /** The platform's id, beginning with 29: */
  id: string;
  aadObjectId: string;
  name: string;
  email: string;
  userPrincipalName: string;
  userRole: 'user' | 'guest' | 'anonymous';
  tenantId: string;
};

export type Posted = {
  id: string;
  conversationId: string;
  type: string;
  text: string;
  /** The first card in its current state. */
  card: Record<string, unknown> | null;
  activity: Record<string, unknown>;
  updates: number;
};

export type Conversation = {
  id: string;
  type: 'personal' | 'groupChat' | 'channel';
  teamId: string | null;
  members: Set<string>;
  installed: boolean;
};

/** A tenant with its people, its conversations and the app that is registered in it. */
export type Tenant = {
  id: string;
  appId: string;
  secret: string;
  users: Map<string, TeamsUser>;
  conversations: Map<string, Conversation>;
  posts: Map<string, Posted>;
  typing: { conversationId: string; entities: unknown[]; text: string; at: number }[];
  files: Map<string, Buffer>;
  uploads: Map<string, { bytes: Buffer; total: number }>;
  /** Whether Teams streams there. */
  streams: boolean;
  /** The update after which a stream ends, because its reader pressed Stop or because it took too long. */
  endStreams: { after: number; words: string } | null;
};

let last = 1_790_000_000_000;
/** An id in the form of Teams' message ids: milliseconds, each used once. */
export function nextId(): string {
  last += 7;
  return String(last);
}

/** A conversation's id without the message id of its thread. */
export const baseOf = (id: string) => id.split(';')[0] ?? id;
