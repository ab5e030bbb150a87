import { type MessageCard, type MessageKind, wordsOfAction } from '../../../../models/contracts/chat.ts';
import { linkToChat, linkToDownload } from '../../../engine/delivery/consent.ts';
import { nameOf, type Speaker } from '../../../engine/delivery/speaker.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import type { Activity } from '../platform/activity.ts';
import { attach, card, fitCard, openUrl, type Part, subtle, textBlock } from './card.ts';
import { speakerLine } from './speaker.ts';
import { plain, splitWithin, toMarkdown } from './text.ts';

type Said = Speaker & { kind: MessageKind };
type Told = { text: string; card: MessageCard };
type NonEmptyCard = NonNullable<MessageCard>;

/** What the words of a message may weigh, alone and on a card beside everything else, in bytes of what is sent. */
const WORDS_BYTES = 22 * 1024;
const CARD_WORDS_BYTES = 14 * 1024;
const MOST_ACTIONS = 6;
const UPLOAD: NonEmptyCard['actions'] = [{ label: 'Upload', action: 'upload' }];

function actionsOf({ actions = [] }: NonEmptyCard): Part[] {
  return actions
    .flatMap((it): Part[] => {
      const { label, action, value } = it;
      if (action === 'upload') return [openUrl('Upload in Arc', linkToChat())];
      if (action === 'download' && value) return [openUrl(label, linkToDownload(value))];
      const words = wordsOfAction(it);
      return words ? [{ type: 'Action.Submit', title: label, data: { verb: 'say', say: shorten(words, 2000) } }] : [];
    })
    .slice(0, MOST_ACTIONS);
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

/** Evidence as a table, with as many rows as fit. */
function tableOf({ table }: NonEmptyCard, most: number): (Part | null)[] {
  if (!table || table.rows.length === 0) return [];
  const rows = table.rows.slice(0, most);
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

/** A message as Teams shows it: figures first, then the words, then the evidence and the buttons; split where it is long. */
export function messageActivities({ text, card: given }: Told, said: Said): Activity[] {
  const name = nameOf(said);
  // Where a file is missing, the way to give one: in chats and channels Teams gives apps none.
  const drawn = said.kind === 'log-missing' ? { ...given, actions: UPLOAD } : given;
  if (!hasCard(drawn)) return textActivities(text, name);
  const [first = ''] = splitWithin(text, CARD_WORDS_BYTES, plain);
  const rest = splitWithin(text.slice(first.length).trimStart(), WORDS_BYTES, toMarkdown);
  const most = drawn.table?.rows.length ?? 0;
  const made = fitCard(most, (rows) => {
    const table = tableOf(drawn, rows);
    const link = rows < most ? [openUrl('Open in Arc', linkToChat())] : [];
    return card(
      [speakerLine(said), figuresOf(drawn), textBlock(plain(first)), ...table],
      [...actionsOf(drawn), ...link],
    );
  });
  return [
    { type: 'message', summary: shorten(text, 200), attachments: [attach(made)] },
    ...rest.map((part): Activity => ({ type: 'message', text: toMarkdown(part), textFormat: 'markdown' })),
  ];
}

/** Words alone, under the agent's name. */
function textActivities(text: string, name: string | null): Activity[] {
  return splitWithin(text, WORDS_BYTES, toMarkdown).map((part, index) => ({
    type: 'message',
    text: (index === 0 && name ? `**${name}**\n\n` : '') + toMarkdown(part),
    textFormat: 'markdown',
  }));
}
