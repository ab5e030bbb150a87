import { type ChannelName, OWN_CHANNEL } from '../../../models/contracts/channels.ts';
import type { RunProgress } from '../../../models/contracts/chat.ts';
import type { Interrupt, Surface } from '../../../models/contracts/interrupts.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { DeliveryRow } from '../../../models/delivery.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { Identity } from '../accounts/matchIdentity.ts';

/**
 * What a channel may say of a failure: when to try again, in seconds. An error that says nothing is tried again, later
 * each time; a PermanentError never.
 */
export type Refusal = { retryAfter?: number; message?: string };

/** How far the sending of one message has come. */
export type Sending = {
  /** What was kept of an earlier try; null on the first. */
  reference: Record<string, unknown> | null;
  /**
   * Keeps what has been sent so far, so that a second try repeats none of it.
   * @param said true where the words are out: what follows in the conversation need not wait for the rest
   */
  keep(reference: Record<string, unknown>, said?: boolean): Promise<void>;
};

/**
 * The port that every channel implements. The engine calls it and knows nothing of the platform behind it; what is
 * said is stored before it is called, so that a call may be repeated.
 */
export type Channel = {
  name: ChannelName;
  /** Where a question shows when it is asked in a conversation of this channel. */
  surfaces: readonly Surface[];
  /** Surfaces that show every question of the account, wherever it was asked. */
  boards?: readonly Surface[];
  /** Says a stored message. @returns how the platform names what was sent; a person's own words need no saying */
  say(conversation: ConversationRow, message: MessageRow, sending: Sending): Promise<Record<string, unknown> | null>;
  /** True where saying goes to another company's servers and may have to be tried again: then it goes by the outbox. */
  remote: boolean;
  /** Who said a turn, where the platform has to be asked. */
  identify?(conversation: ConversationRow, platformId: string): Promise<Identity>;
  /** Says something that only one person sees. */
  tellPrivately?(conversation: ConversationRow, platformId: string, text: string): Promise<void>;
  /** Fetches a file that came with a turn. */
  fetchFile?(
    conversation: ConversationRow,
    file: { fileId: string; name: string },
  ): Promise<{ fileName: string; bytes: Uint8Array }>;
  /**
   * Does for a conversation what was accepted as a task and is no saying, e.g. puts a file where a person let it go. May
   * be called again: what is kept of an earlier try says what need not be repeated.
   */
  perform?(conversation: ConversationRow, given: object, sending: Sending): Promise<Record<string, unknown> | null>;
  /**
   * What whoever asked for a task is told where it is given up, by how far it had come; null where nothing of it is lost.
   */
  givenUpText?(given: object, reference: Record<string, unknown> | null): string | null;
  /** Takes up what the channel stored for itself and a crash or a refusal left undone. */
  sweep?(): Promise<void>;
  /** Shows how far work is; may be dropped. */
  progress(conversation: ConversationRow, progress: RunProgress): void;
  /**
   * Shows a question on one surface.
   * @param conversation where it was asked, if that is a conversation of this channel; null otherwise
   * @returns how the platform names what was sent; null where nothing was
   */
  ask(
    question: Interrupt,
    delivery: DeliveryRow,
    conversation: ConversationRow | null,
  ): Promise<Record<string, unknown> | null>;
  /** Shows the outcome where the question was. */
  redraw(question: Interrupt, delivery: DeliveryRow): Promise<void>;
};

const channels = new Map<ChannelName, Channel>();
const bySurface = new Map<Surface, Channel>();

/** Called by each channel at start. */
export function registerChannel(channel: Channel): void {
  channels.set(channel.name, channel);
  for (const surface of [...channel.surfaces, ...(channel.boards ?? [])]) bySurface.set(surface, channel);
}

/** The channel of a conversation; undefined where this process does not carry it. */
export function channelNamed(name: ChannelName): Channel | undefined {
  return channels.get(name);
}

/** Takes up what the channels stored for themselves. */
export async function sweepChannels(): Promise<void> {
  for (const channel of channels.values()) await channel.sweep?.();
}

/** Whether anything is carried to another company's servers. */
export const hasRemoteChannels = () => [...channels.values()].some(({ remote }) => remote);

/** The channel that draws a surface. */
export function channelOf(surface: Surface): Channel | undefined {
  return bySurface.get(surface);
}

/** Every surface on which a question shows that was asked in a conversation of this channel: its own, the web, and the boards. */
export function surfacesFor(name: ChannelName | null): Surface[] {
  const web = channels.get(OWN_CHANNEL)?.surfaces ?? ['inbox'];
  const own = name ? (channels.get(name)?.surfaces ?? []) : [];
  const boards = [...channels.values()].flatMap((channel) => channel.boards ?? []);
  return [...new Set([...web, ...own, ...boards])];
}
