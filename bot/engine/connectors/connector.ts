import type { ConnectorCard } from '../../../models/contracts/connectorCard.ts';
import type { ScopeField, ScopeOption } from '../../../models/contracts/connectorScope.ts';
import type { Environment } from '../../../models/env.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { Access, Place, ScopeValues, Send } from './access.ts';
import type { CrmSource } from './crmSource.ts';

export type { Access, Place, ScopeValues, Send, SendInit } from './access.ts';

/** How a service is connected: the page to send a person to, and what happens when they return. */
export type Connector = {
  /** @returns the provider's page, and data to store encrypted until the person returns */
  begin(who: Who, it: { service: string; state: string }): Promise<Beginning> | Beginning;
  /**
   * Finishes the connection with the provider's code.
   * @throws AppError with a message for the person
   */
  connect(who: Who, back: { code: string; state: string; kept: unknown }): Promise<void>;
};
type Beginning = { address: string; kept?: unknown };

/** What a company chooses to be read from a tool. */
export type ScopeDeclaration = {
  fields: readonly Omit<ScopeField, 'value' | 'options'>[];
  /** The options of every `choice`, by field, as the grant sees them. @throws ProviderFailure */
  readOptions(access: Access): Promise<Record<string, ScopeOption[]>>;
  /** What is wrong with texts that people write, by field. */
  faultsOf?(values: ScopeValues): Record<string, string>;
  /** What is read, in a few words: "project NRL". */
  describe(values: ScopeValues): string;
};

/** A ticket as its tracker holds it; texts are plain. */
export type Ticket = {
  key: string;
  summary: string;
  description: string;
  type: string;
  labels: string[];
  status: string;
  url: string;
  changedAt: Date;
};

/** Reads tickets page by page. Cursors are the tracker's own and may expire; then the reading begins anew. */
export type TicketSource = {
  /**
   * A page of tickets.
   * @param from `since`: only what changed at or after this time; null for all
   * @returns `next`: null after the last page; `total`: null where the tracker does not count
   * @throws ProviderFailure
   */
  readPage(
    access: Access,
    values: ScopeValues,
    from: { since: Date | null; cursor: string | null },
  ): Promise<{ tickets: Ticket[]; next: string | null; total: number | null }>;
  /**
   * A page of the keys of all tickets, to find those that were deleted or moved away. Absent where that costs as much
   * as reading the tickets: then all are read again once a day.
   * @throws ProviderFailure
   */
  readKeys?(
    access: Access,
    values: ScopeValues,
    cursor: string | null,
  ): Promise<{ keys: string[]; next: string | null }>;
};

/** A document as its workspace lists it. */
export type RemoteDocument = {
  id: string;
  name: string;
  /** Its media type, as the workspace names it. */
  type: string;
  url: string;
  /** Changes with its content. */
  version: string;
  bytes: number | null;
};

/** A page of documents. */
type DocumentPage = {
  documents: RemoteDocument[];
  next: string | null;
  /** Ids of documents that are gone, where only what changed is listed. */
  gone?: readonly string[];
  /** On the last page: a cursor from which a later listing has only what changed since. */
  mark?: string | null;
};

/** A draft of an agent. */
export type RemoteDraft = {
  /** Idempotency key: letters and digits. */
  key: string;
  name: string;
  type: string;
  bytes: Uint8Array;
  /** Its text, a line for each paragraph, with headings and list items as in Markdown; null for tables. */
  text: string | null;
  /** A page of Arc that the draft is from; unique to the draft. */
  link: string;
};

/** Reads the documents of a workspace, and saves drafts there. */
export type DocumentSource = {
  /**
   * A page of the documents in scope that {@link read} can read.
   * @throws ProviderFailure; CursorRefused where a cursor is not accepted any more
   */
  list(access: Access, values: ScopeValues, cursor: string | null): Promise<DocumentPage>;
  /**
   * Whether a document that is no longer listed is gone from the scope. Absent where a listing is complete.
   * @throws ProviderFailure
   */
  isGone?(access: Access, values: ScopeValues, id: string): Promise<boolean>;
  /** The content as a file, with an extension that Arc reads. @throws ProviderFailure */
  read(
    access: Access,
    document: RemoteDocument,
    values: ScopeValues,
  ): Promise<{ fileName: string; type: string; bytes: Uint8Array }>;
  /**
   * Saves a draft as a new document; after a crash the same key saves it once, where the workspace can find it.
   * @returns the link to it
   * @throws ProviderFailure
   */
  save(access: Access, values: ScopeValues, draft: RemoteDraft): Promise<string>;
};

/** A design file, by its key. */
export type DesignFile = { key: string; name: string };

/** A frame of a design file, with the texts in it from top to bottom of its layers. */
export type DesignFrame = {
  id: string;
  page: string;
  name: string;
  /** In pixels; null where the tool gives none. */
  size: { width: number; height: number } | null;
  /** Null where they were not read: the frame is too large, or there are too many. */
  texts: readonly string[] | null;
};

/** A link to a page of Arc that is left on a frame. */
type DesignLink = { fileKey: string; frameId: string; comment: string; name: string; url: string };

/** Reads design files, and leaves links to Arc in them. */
export type DesignSource = {
  /** The files in scope. @throws ProviderFailure */
  listFiles(access: Access, values: ScopeValues): Promise<DesignFile[]>;
  /** The key of the file that an address leads to; null where it leads to none. */
  fileKeyOf(address: string): string | null;
  /** The frames of a file. @throws ProviderFailure */
  readFrames(access: Access, fileKey: string): Promise<DesignFrame[]>;
  /**
   * Leaves a comment on a frame, and the link among what developers see of it. Each is left once for its URL, also
   * after a crash.
   * @returns whether the developers' link was accepted: that takes rights that a comment does not
   * @throws ProviderFailure
   */
  leaveLink(access: Access, link: DesignLink): Promise<{ isLinked: boolean }>;
};

/** A file or a folder of a repository. */
export type CodeEntry = { path: string; kind: 'file' | 'folder'; bytes: number };

/** A change that is proposed: new files on a branch of its own, as one commit. */
export type CodeProposal = {
  /** The same branch is the same proposal. It is never the one that the repository is released from. */
  branch: string;
  title: string;
  text: string;
  files: readonly { path: string; content: string }[];
};

/** Reads a repository, and proposes changes to it. */
export type CodeSource = {
  /** Whether what was chosen includes code. */
  isChosen(values: ScopeValues): boolean;
  /** The repository, as people name it. */
  nameOf(values: ScopeValues): string;
  /** What a folder holds; null where there is no such folder. @throws ProviderFailure */
  list(access: Access, values: ScopeValues, path: string): Promise<CodeEntry[] | null>;
  /**
   * A file as text; null where there is none, and `text: null` where it is too large or not text.
   * @throws ProviderFailure
   */
  read(access: Access, values: ScopeValues, path: string): Promise<{ bytes: number; text: string | null } | null>;
  /**
   * Opens a pull request; after a crash the same branch has one commit and one pull request.
   * @returns the link to it
   * @throws ProviderFailure
   */
  propose(access: Access, values: ScopeValues, proposal: CodeProposal): Promise<string>;
};

/** What agents can use a connector for. */
type Capability = 'documents' | 'tickets' | 'design' | 'code' | 'crm';

/** A connector's settings in this deployment; unset values are empty. */
export type ConnectorSettings = {
  clientId: string;
  clientSecret: string;
  /** Replaces the origin of all the provider's URLs, e.g. in tests. */
  baseUrl: string;
};

/** The declaration of a connector, a tool of the customer. */
export type ConnectorPlugIn = {
  /** Its card, shared with the pages: `models/contracts/connectors/<id>.ts`. */
  card: ConnectorCard;
  /** The environment variables that it reads. */
  environment: readonly (keyof Environment)[];
  settings(): ConnectorSettings;
  /** The provider's URLs; `revoke` is absent where the provider can't revoke tokens. */
  endpoints: {
    authorize: string;
    token: string;
    /** Where tokens are renewed, if not at `token`. */
    refresh?: string;
    revoke?: string;
  };
  /** Hosts of its API besides those of its endpoints; with a dot in front, every host below that name. */
  hosts?: readonly string[];
  /** The request that ends a grant, where the provider has one of its own instead of `endpoints.revoke`. */
  revokeRequest?(
    settings: ConnectorSettings,
    accessToken: string,
  ): { address: string; method: string; headers: Record<string, string>; body: string };
  /** Issuer of its id tokens, for OpenID Connect; they are checked where `openid` is requested. */
  issuer?: string;
  /**
   * Where the client secret is sent: in the form body (most providers), or in a header; `plain-header` is for providers
   * that don't decode the id and the secret (RFC 6749, section 2.3.1).
   */
  clientAuthentication: 'form' | 'header' | 'plain-header';
  /** Sent with every call to its API and for tokens, e.g. the version of its API. */
  headers?: Readonly<Record<string, string>>;
  /** Statuses with which its API refuses a token; default 401. */
  tokenRefusals?: readonly number[];
  /** False for a provider that refuses the parameters of PKCE. */
  hasPkce?: false;
  /** `json` for a provider that takes the parameters of a token call as JSON, not as a form. */
  tokenBody?: 'json';
  /** Requested scopes by tool id; every tool of the card has an entry. */
  scopes: Readonly<Record<string, readonly string[]>>;
  /** Further parameters of the consent page, e.g. to get a refresh token. */
  consent?: Readonly<Record<string, string>>;
  /** Its words for errors of token calls that RFC 6749, section 5.2, names otherwise. */
  tokenErrors?: Readonly<Record<string, string>>;
  /** Fields of a token answer that are kept with the tokens, e.g. the address of the customer's own instance. */
  keptFields?: readonly string[];
  /** The scheme in the header Authorization by the path of a call; default `Bearer`. */
  tokenScheme?(path: string): string;
  /**
   * Reads what a token gives access to; its answer completes the connection. Called again where the provider rejects a
   * token: rejected here too, the grant ends.
   * @param kept the `keptFields` of the token answer
   * @throws ProviderFailure
   */
  identify(send: Send, kept: Readonly<Record<string, string>>): Promise<Place>;
  capabilities: readonly Capability[];
  /** What of it is read; absent where there is nothing to choose. */
  scope?: ScopeDeclaration;
  /** How its documents are read and drafts saved; required with the capability `documents`. */
  documents?: DocumentSource;
  /** How its tickets are read; required with the capability `tickets`. */
  tickets?: TicketSource;
  /** How its design files are read; required with the capability `design`. */
  design?: DesignSource;
  /** How code is read and proposed; required with the capability `code`. */
  code?: CodeSource;
  /** How contacts and posts are read and drafts saved; required with the capability `crm`. */
  crm?: CrmSource;
};

/** Declares a connector. */
export const defineConnector = (connector: ConnectorPlugIn): ConnectorPlugIn => connector;

/** Whether the deployment has a connector's credentials. */
export const hasCredentials = ({ settings }: ConnectorPlugIn): boolean => {
  const { clientId, clientSecret } = settings();
  return clientId !== '' && clientSecret !== '';
};
