import { asksForFile, type MessageCard, type MessageKind, wordsOfAction } from '../../../../models/contracts/chat.ts';
import { linkToChat, linkToDownload, linkToPage } from '../../../engine/delivery/consent.ts';
import { nameOf, type Speaker } from '../../../engine/delivery/speaker.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import type { Activity } from '../platform/activity.ts';
import { attach, card, fitCard, openUrl, type Part, subtle, textBlock } from './card.ts';
import { speakerLine } from './speaker.ts';
import { plain, splitWithin, toMarkdown } from './text.ts';

type MessageHeader = Speaker & { kind: MessageKind };
type MessageContent = { text: string; card: MessageCard };
type NonEmptyCard = NonNullable<MessageCard>;

/** Limits of a message's text alone, and of the text on a card, in bytes as sent. */
const MAX_TEXT_BYTES = 22 * 1024;
const MAX_CARD_TEXT_BYTES = 14 * 1024;
const MAX_ACTIONS = 6;
const UPLOAD_ACTION: NonEmptyCard['actions'] = [{ label: 'Upload', action: 'upload' }];

function actionsOf({ actions = [], page }: NonEmptyCard): Part[] {
  const result = page ? [openUrl('Full result in Arc', linkToPage(page))] : [];
  const others = actions.flatMap((it): Part[] => {
    const { label, action, value } = it;
    if (action === 'upload') return [openUrl('Upload in Arc', linkToChat())];
    if (action === 'download' && value) return [openUrl(label, linkToDownload(value))];
    const words = wordsOfAction(it);
    return words ? [{ type: 'Action.Submit', title: label, data: { verb: 'say', say: shorten(words, 2000) } }] : [];
  });
  return [...others.slice(0, MAX_ACTIONS - result.length), ...result];
}

function figuresOf({ figures = [] }: NonEmptyCard): Part | null {
  if (figures.length === 0) return null;
  return {
    type: 'ColumnSet',
    columns: figures.slice(0, 6).map(({ label, value }) => ({
      type: 'Column',
      width: 'stretch',
      items: [textBlock(plain(value), { size: 'ExtraLarge', weight: 'Bolder' }), subtle(plain(label))],
    })),
  };
}

/** The card's table with at most `maxRows` rows, and a count of the rows left out. */
function tableOf({ table }: NonEmptyCard, maxRows: number): (Part | null)[] {
  if (!table || table.rows.length === 0) return [];
  const rows = table.rows.slice(0, maxRows);
  const cell = (text: string, weight?: string) => ({
    type: 'TableCell',
    items: [textBlock(plain(shorten(text || '–', 300)), weight ? { weight } : {})],
  });
  const left = table.rows.length - rows.length;
  return [
    rows.length > 0
      ? {
          type: 'Table',
          firstRowAsHeader: true,
          columns: table.columns.map(() => ({ width: 1 })),
          rows: [
            { type: 'TableRow', cells: table.columns.map((text) => cell(text, 'Bolder')) },
            ...rows.map((row) => ({ type: 'TableRow', cells: row.map((text) => cell(text)) })),
          ],
        }
      : null,
    left > 0 ? subtle(`and ${left} more in Arc`) : null,
  ];
}

const hasCard = (it: MessageCard): it is NonEmptyCard =>
  it !== null && ((it.figures ?? []).length > 0 || (it.table?.rows ?? []).length > 0 || actionsOf(it).length > 0);

/** A message as activities: a card with figures, text, table and buttons; a long text continues in further messages. */
export function messageActivities({ text, card: given }: MessageContent, header: MessageHeader): Activity[] {
  const name = nameOf(header);
  // Teams gives apps no files from group chats and channels, so a request for a file links to the upload in Arc.
  const drawn = asksForFile(header.kind) ? { ...given, actions: UPLOAD_ACTION } : given;
  if (!hasCard(drawn)) return textActivities(text, name);
  const [first = ''] = splitWithin(text, MAX_CARD_TEXT_BYTES, plain);
  const rest = splitWithin(text.slice(first.length).trimStart(), MAX_TEXT_BYTES, toMarkdown);
  const maxRows = drawn.table?.rows.length ?? 0;
  const made = fitCard(maxRows, (rows) => {
    const table = tableOf(drawn, rows);
    const link = rows < maxRows && !drawn.page ? [openUrl('Open in Arc', linkToChat())] : [];
    return card(
      [speakerLine(header), figuresOf(drawn), textBlock(plain(first)), ...table],
      [...actionsOf(drawn), ...link],
    );
  });
  return [
    { type: 'message', summary: shorten(text, 200), attachments: [attach(made)] },
    ...rest.map((part): Activity => ({ type: 'message', text: toMarkdown(part), textFormat: 'markdown' })),
  ];
}

/** A text in the form in which it is sent, under the agent's name. */
export const underName = (text: string, name: string | null): string =>
  (name ? `**${name}**\n\n` : '') + toMarkdown(text);

/** As much of a text as its first message holds. */
export const firstText = (text: string): string => splitWithin(text, MAX_TEXT_BYTES, toMarkdown)[0] ?? '';

/** A message without a card, under the agent's name. */
function textActivities(text: string, name: string | null): Activity[] {
  return splitWithin(text, MAX_TEXT_BYTES, toMarkdown).map((part, index) => ({
    type: 'message',
    text: underName(part, index === 0 ? name : null),
    textFormat: 'markdown',
  }));
}
