import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import type { CHANNELS } from '../../../models/contracts/channels.ts';
import type { Environment } from '../../../models/env.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { Call } from '../calls/call.ts';
import type { Connector } from '../connectors/connector.ts';

/** Access checks of the HTTP edge, for a channel that serves browsers on the product's own server. */
export type Gate = {
  /** The session middleware that the pages use. */
  session(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown;
  /** The current member behind a socket's session; null where there is none or it has ended. */
  whoIs(request: unknown): Promise<Who | null>;
  /** Whether the account may chat. @throws AppError where not */
  mayChat(who: Who): Promise<void>;
  /**
   * Counts a message against the rates of the equivalent call.
   * @throws AppError too_many
   */
  countMessage(who: Who): Promise<void>;
  /** Whether a browser's request comes from one of our own pages. */
  sameOrigin(request: unknown): boolean;
};

/** A channel that is open in this process. */
export type OpenChannel = {
  /** Handles the platform's requests. Runs before any body parser, because signatures cover the raw bytes. */
  serve?(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown;
  /** Attaches sockets to the HTTP server, before it listens. */
  attach?(server: Server, gate: Gate): void;
  /** How an account connects the platform by OAuth; the service name is the channel's id. */
  connector?: Connector;
  stop(): Promise<void>;
};

/** Arguments of the command that writes a platform's manifest. */
type ManifestWords = {
  baseUrl: string;
  option(name: string): string | undefined;
  has(flag: string): boolean;
};

/** The declaration of a channel. Importing it must not load the platform's library. */
export type ChannelPlugIn = {
  /** Its card, shared with pages and kernel: `models/contracts/<id>/card.ts`. */
  card: (typeof CHANNELS)[number];
  /** The environment variables that it reads. */
  environment: readonly (keyof Environment)[];
  /** Loads the platform's library and registers the channel. Called once, where it is configured. */
  open(): Promise<OpenChannel>;
  /**
   * API calls of its own, including its status. They are bound in every deployment, also where it is not configured.
   */
  calls?: readonly Call[];
  /**
   * Revokes an installation's tokens at the platform; called before they are deleted, also where the channel is not
   * open. Absent where the platform can't: people then remove Arc in its settings.
   * @param signal aborts when the time is over
   * @throws where the platform did not confirm; a token that is already revoked counts as confirmed
   */
  revoke?(installation: ChannelInstallationRow, signal: AbortSignal): Promise<void>;
  /** A page that the platform shows in a frame, and the only origins that may frame it. */
  frame?: { page: string; ancestors: readonly string[] };
  /** Writes the manifest for the platform. */
  manifest?: {
    /** Its arguments after the channel's id, for the command's usage text. */
    use: string;
    /** @returns the bytes and the default file name; null where an argument is missing */
    write(words: ManifestWords): { bytes: string | Buffer; out?: string } | null;
  };
};

/** Declares a channel. */
export const defineChannel = (channel: ChannelPlugIn): ChannelPlugIn => channel;
