import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { CHANNELS } from '../../../models/contracts/channels.ts';
import type { Environment } from '../../../models/env.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { Call } from '../calls/call.ts';
import type { Connector } from '../connectors/connector.ts';

/** What the edge knows of browsers, for a channel that talks to them on the product's own server. */
export type Gate = {
  /** The session middleware that the pages use. */
  session(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown;
  /** Who a socket's session is now, read anew; null where it is nobody's or has ended. */
  whoIs(request: unknown): Promise<Who | null>;
  /** Whether the account may chat. @throws AppError where not */
  mayChat(who: Who): Promise<void>;
  /** Counts a message by the rates of the call that does the same. @throws AppError too_many */
  countMessage(who: Who): Promise<void>;
  /** Whether a browser's request comes from one of our own pages. */
  sameOrigin(request: unknown): boolean;
};

/** A channel that is open in this process. */
export type OpenChannel = {
  /** Serves what the platform sends. It sees requests before any body is parsed: signatures are over the raw bytes. */
  serve?(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown;
  /** Attaches sockets to the HTTP server, before it listens. */
  attach?(server: Server, gate: Gate): void;
  /** How an account connects the platform through its own page; the service has the channel's id. */
  connector?: Connector;
  stop(): Promise<void>;
};

/** Words of the command line that writes a platform's manifest. */
type ManifestWords = {
  baseUrl: string;
  option(name: string): string | undefined;
  has(flag: string): boolean;
};

/** A channel, whole: everything that the edges know of a platform. Loading it loads nothing of the platform's library. */
export type ChannelPlugIn = {
  /** What the pages and the kernel know of it, too: `models/contracts/<id>/card.ts`. */
  card: (typeof CHANNELS)[number];
  /** The variables of the environment that it reads. */
  environment: readonly (keyof Environment)[];
  /** Loads the platform's library, registers the channel's port and its receivers. Called once, where it is configured. */
  open(): Promise<OpenChannel>;
  /** Calls of its own, how it stands among them; they answer in every deployment, also where it is not configured. */
  calls?: readonly Call[];
  /** A page that the platform shows in a frame, and the only addresses that may frame it. */
  frame?: { page: string; ancestors: readonly string[] };
  /** Writes what the platform is told about Arc. */
  manifest?: {
    /** Its words after the channel's id, for the command's help. */
    use: string;
    /** @returns the bytes and the file they go into; null where a word is missing */
    write(words: ManifestWords): { bytes: string | Buffer; out?: string } | null;
  };
};

/** Declares a channel: its file reads like a table of contents. */
export const defineChannel = (channel: ChannelPlugIn): ChannelPlugIn => channel;
