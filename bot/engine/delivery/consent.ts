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

/** What the account lets leave on a channel. On our own pages nothing leaves. */
export async function consentFor(accountId: number, channel: ChannelName): Promise<ConsentMode> {
  if (!isRemoteChannel(channel)) return 'full';
  const account = await Account.findById(accountId, { channelConsent: 1 }).lean();
  return account?.channelConsent?.[channel] ?? 'reference-only';
}

/** The mode under which the least leaves. */
export const leastOf = (...modes: ConsentMode[]): ConsentMode =>
  CONSENT_MODES.find((mode) => modes.includes(mode)) ?? 'reference-only';

/** Where a person reads what may not leave: their own chat, or a conversation of another channel. */
export const linkToChat = (conversationId?: MessageRow['conversationId']) =>
  `${baseUrl()}/arc-chat${conversationId ? `?conversation=${conversationId}` : ''}`;
export const linkToDownload = (name: string) => `${baseUrl()}${downloadPath(name)}`;
export const linkToReview = (interruptId: number) => `${baseUrl()}/agent-inbox?interrupt=${interruptId}`;

/**
 * A message as it may leave under a mode: its text, its figures and its buttons. A message that holds nothing from
 * documents or tickets leaves whole under every mode; any other is replaced by what was written for the mode.
 */
export function messageUnder(
  mode: ConsentMode,
  message: Pick<MessageRow, 'text' | 'derived' | 'card' | 'attachments' | 'conversationId'>,
): { text: string; card: MessageCard; attachments: MessageRow['attachments'] } {
  const { text, derived, card, attachments } = message;
  if (mode === 'full' || !derived) return { text, card, attachments };
  const written = mode === 'redacted' ? derived.redacted : derived.reference;
  const told = written.replaceAll(linkToChat(), linkToChat(message.conversationId));
  return { text: told, card: card && { ...card, ...WITHHELD, actions: actionsUnder(card) }, attachments: [] };
}

const WITHHELD = { headline: undefined, table: undefined };

/** A download's address holds the file's name: only those that Arc itself gave hold no word of a company. */
const actionsUnder = ({ actions }: NonNullable<MessageCard>) =>
  actions?.filter(({ action, value }) => action !== 'download' || isOwnExport(value ?? ''));

/** What became of a question, in one line, as it may leave under a mode: who, where and when, and what they chose. */
export function outcomeUnder(mode: ConsentMode, question: Interrupt): string {
  const { status, resolution, interruptType } = question;
  if (status === 'cancelled') return 'Withdrawn';
  const told = resolution?.text ?? 'Answered';
  const answered = kindOf(interruptType).answered?.(question, mode) ?? null;
  return answered === null ? told : `${told}: ${answered}`;
}
