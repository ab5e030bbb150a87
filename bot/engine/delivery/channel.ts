import { type ChannelName, OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import type { RunProgress } from '../../../models/contracts/chat.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { DeliveryRow } from '../../../models/delivery.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { Identity } from '../accounts/matchIdentity.ts';

/**
 * What an error of a channel may carry: `retryAfter` in seconds. Other errors are retried with back-off; a
 * PermanentError never.
 */
export type Refusal = { retryAfter?: number; message?: string };

/** Progress of sending one message, saved between its parts. */
export type Sending = {
  /** What an earlier attempt saved; null on the first. */
  reference: Record<string, unknown> | null;
  /**
   * Saves what has been sent so far, so that a retry does not repeat it.
   * @param said true once the text is sent: later deliveries of the conversation need not wait for the rest
   */
  keep(reference: Record<string, unknown>, said?: boolean): Promise<void>;
};

/** An answer while it is written. */
export type Draft = {
  /** The steps begun since it was last shown, in words without customer content; the last one runs. */
  steps: string[];
  /** The sentences that are finished, under the consent mode of the channel; each text begins with the one before. */
  text: string;
  agentId: string;
  agentName: string;
};

/**
 * The port that every channel implements; the engine knows nothing of the platform behind it. Everything is stored
 * before a method is called, and any call may be repeated.
 */
export type Channel = {
  name: ChannelName;
  /** Surfaces that show the questions asked in this channel's conversations. */
  surfaces: readonly Surface[];
  /** Surfaces that show every question of the account, e.g. a home tab. */
  boards?: readonly Surface[];
  /**
   * Sends a stored message. Messages of the person themselves are not sent back.
   * @returns the platform's ids of what was sent
   */
  say(conversation: ConversationRow, message: MessageRow, sending: Sending): Promise<Record<string, unknown> | null>;
  /** True where sending goes to another company's servers and may need retries: it then uses the outbox. */
  remote: boolean;
  /** Identifies the author of a turn, where only the platform knows. */
  identify?(conversation: ConversationRow, platformId: string): Promise<Identity>;
  /** Whether a conversation is a one-to-one chat, where its row does not say so. */
  isOneToOne?(conversation: ConversationRow): Promise<boolean>;
  /** Sends something that only one person sees. */
  tellPrivately?(conversation: ConversationRow, platformId: string, text: string): Promise<void>;
  /** Downloads a file that came with a turn. */
  fetchFile?(
    conversation: ConversationRow,
    file: { fileId: string; name: string },
  ): Promise<{ fileName: string; bytes: Uint8Array }>;
  /**
   * Performs a task for a conversation that is not a message, e.g. an upload to somebody's drive. May be called again:
   * `sending.reference` holds what earlier attempts finished.
   */
  perform?(conversation: ConversationRow, given: object, sending: Sending): Promise<Record<string, unknown> | null>;
  /** The message to whoever asked for a task that was given up, by how far it got; null where nothing was lost. */
  givenUpText?(given: object, reference: Record<string, unknown> | null): string | null;
  /** Resumes work that the channel stored itself and that a crash or a refusal interrupted. */
  sweep?(): Promise<void>;
  /**
   * Shows an answer while it is written, at most once a second. A failure ends the showing, unless it says when to try
   * again.
   * @returns the reference with which `say` gets the complete message: it completes what was shown. After a crash it
   *   gets the one that was kept last
   */
  showDraft?(conversation: ConversationRow, draft: Draft, sending: Sending): Promise<Record<string, unknown>>;
  /** Ends what `showDraft` showed where no message completes it, e.g. because a question comes first. Best effort. */
  endDraft?(conversation: ConversationRow, reference: Record<string, unknown>): Promise<void>;
  /** Shows a run's progress. Best effort. */
  progress(conversation: ConversationRow, progress: RunProgress): void;
  /**
   * Shows a question on one surface.
   * @param conversation where it was asked, if that is a conversation of this channel; null otherwise
   * @returns the platform's ids of what was sent; null where nothing was
   */
  ask(
    question: Interrupt,
    delivery: DeliveryRow,
    conversation: ConversationRow | null,
  ): Promise<Record<string, unknown> | null>;
  /** Replaces the question by its outcome. */
  redraw(question: Interrupt, delivery: DeliveryRow): Promise<void>;
};

const channels = new Map<ChannelName, Channel>();
const bySurface = new Map<Surface, Channel>();

/** Registers a channel; each calls it at start. */
export function registerChannel(channel: Channel): void {
  channels.set(channel.name, channel);
  for (const surface of [...channel.surfaces, ...(channel.boards ?? [])]) bySurface.set(surface, channel);
}

/** A channel by name; undefined where this process has not opened it. */
export function channelNamed(name: ChannelName): Channel | undefined {
  return channels.get(name);
}

/** Resumes the interrupted work of every channel. */
export async function sweepChannels(): Promise<void> {
  for (const channel of channels.values()) await channel.sweep?.();
}

/** Whether any open channel sends to another company's servers. */
export const hasRemoteChannels = () => [...channels.values()].some(({ remote }) => remote);

/** The channel that draws a surface. */
export function channelOf(surface: Surface): Channel | undefined {
  return bySurface.get(surface);
}

/**
 * The surfaces that show a question asked in a conversation of this channel: the channel's own, the web's, and the
 * boards.
 */
export function surfacesFor(name: ChannelName | null): Surface[] {
  const web = channels.get(OWN_CHANNEL)?.surfaces ?? ['inbox'];
  const own = name ? (channels.get(name)?.surfaces ?? []) : [];
  const boards = [...channels.values()].flatMap((channel) => channel.boards ?? []);
  return [...new Set([...web, ...own, ...boards])];
}
