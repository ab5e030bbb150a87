import { Account } from '../../../models/account.ts';
import { type ChannelName, isRemoteChannel } from '../../../models/contracts/channels.ts';
import type { MessageCard } from '../../../models/contracts/chat.ts';
import { downloadPath } from '../../../models/contracts/files.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { CONSENT_MODES, type ConsentMode } from '../../../models/contracts/preferences.ts';
import { baseUrl } from '../../../models/env.ts';
import type { MessageRow } from '../../../models/message.ts';
import { kindOf } from '../questions/kinds/index.ts';
import { isOwnExport } from './ownExports.ts';

/** The account's consent mode for a channel; our own pages always get everything. */
export async function consentFor(accountId: number, channel: ChannelName): Promise<ConsentMode> {
  if (!isRemoteChannel(channel)) return 'full';
  const account = await Account.findById(accountId, { channelConsent: 1 }).lean();
  return account?.channelConsent?.[channel] ?? 'reference-only';
}

/** The strictest of several modes. */
export const leastOf = (...modes: ConsentMode[]): ConsentMode =>
  CONSENT_MODES.find((mode) => modes.includes(mode)) ?? 'reference-only';

/** Links to content that may not be sent: the reader's own chat, or a conversation of another channel. */
export const linkToChat = (conversationId?: MessageRow['conversationId']) =>
  `${baseUrl()}/arc-chat${conversationId ? `?conversation=${conversationId}` : ''}`;
/** Link to a page of ours, by its path. */
export const linkToPage = (path: string) => `${baseUrl()}${path}`;
export const linkToDownload = (name: string) => `${baseUrl()}${downloadPath(name)}`;
export const linkToReview = (interruptId: number) => `${baseUrl()}/agent-inbox?interrupt=${interruptId}`;

/**
 * A message under a consent mode: text, card and attachments. Without content from documents or tickets (`derived:
 * null`) it is sent whole; otherwise the text written for the mode replaces it.
 */
export function messageUnder(
  mode: ConsentMode,
  message: Pick<MessageRow, 'text' | 'derived' | 'card' | 'attachments' | 'conversationId' | 'generated'>,
): Pick<MessageRow, 'text' | 'card' | 'attachments' | 'generated'> {
  const { text, derived, card, attachments, generated } = message;
  if (mode === 'full' || !derived) return { text, card, attachments, ...(generated ? { generated } : {}) };
  const written = mode === 'redacted' ? derived.redacted : derived.reference;
  const told = written.replaceAll(linkToChat(), linkToChat(message.conversationId));
  return { text: told, card: card && { ...card, ...WITHHELD, actions: actionsUnder(card) }, attachments: [] };
}

const WITHHELD = { asked: undefined, headline: undefined, sources: undefined, table: undefined };

/** The URL of a download contains the file's name: only names that Arc generated are free of customer content. */
const actionsUnder = ({ actions }: NonNullable<MessageCard>) =>
  actions?.filter(({ action, value }) => action !== 'download' || isOwnExport(value ?? ''));

/** The outcome of a question in one line under a consent mode: who, where, when, and what they chose. */
export function outcomeUnder(mode: ConsentMode, question: Interrupt): string {
  const { status, resolution, interruptType } = question;
  if (status === 'cancelled') return 'Withdrawn';
  const told = resolution?.text ?? 'Answered';
  const answered = kindOf(interruptType).answered?.(question, mode) ?? null;
  return answered === null ? told : `${told}: ${answered}`;
}
