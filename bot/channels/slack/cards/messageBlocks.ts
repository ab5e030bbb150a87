import type { KnownBlock } from '@slack/web-api';
import { type MessageCard, wordsOfAction } from '../../../../models/contracts/chat.ts';
import { linkToChat, linkToDownload, linkToPage } from '../../../engine/delivery/consent.ts';
import { shorten, splitText } from '../../../engine/delivery/splitText.ts';
import { BLOCK_LIMITS, toMrkdwn } from './text.ts';

export type SlackPost = { text: string; blocks: KnownBlock[] };
type MessageContent = {
  text: string;
  card: MessageCard;
  attachments?: readonly { name: string }[];
  /** Id of the message where people can say whether it helped. */
  rated?: string;
};

/** Buttons by which people say whether an answer helped. */
function feedbackOf({ rated }: MessageContent): KnownBlock[] {
  if (!rated) return [];
  const button = (label: string, value: string) => ({
    text: { type: 'plain_text' as const, text: label },
    accessibility_label: label,
    value: `${value}:${rated}`,
  });
  return [
    {
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'feedback',
          positive_button: button('This helped', 'good'),
          negative_button: button('This did not help', 'bad'),
        },
      ],
    },
  ];
}

/** What stands below a message's text: buttons, links, and whether it helped. */
export const blocksBelow = (content: MessageContent): KnownBlock[] => [
  ...actionsOf(content.card),
  ...linksOf(content),
  ...feedbackOf(content),
];

function actionsOf(card: MessageCard): KnownBlock[] {
  const elements = (card?.actions ?? [])
    .flatMap((action) => {
      const words = wordsOfAction(action);
      return words === undefined ? [] : [{ label: action.label, words }];
    })
    .slice(0, 5)
    .map(({ label, words }, index) => ({
      type: 'button' as const,
      action_id: `say:${index}`,
      text: { type: 'plain_text' as const, text: shorten(label, BLOCK_LIMITS.button) },
      value: shorten(words, 2000),
      ...(index === 0 ? { style: 'primary' as const } : {}),
    }));
  return elements.length > 0 ? [{ type: 'actions', elements }] : [];
}

/** Links that open Arc: to the page of the result, and to downloads that are not sent as files with the message. */
function linksOf({ card, attachments = [] }: MessageContent): KnownBlock[] {
  const sent = new Set(attachments.map(({ name }) => name));
  const downloads = (card?.actions ?? []).flatMap(({ label, action, value }) =>
    action === 'download' && value && !sent.has(value) ? [`<${linkToDownload(value)}|${toMrkdwn(label)}>`] : [],
  );
  const links = [...(card?.page ? [`<${linkToPage(card.page)}|Full result in Arc>`] : []), ...downloads];
  if (links.length === 0) return [];
  return [{ type: 'context', elements: [{ type: 'mrkdwn', text: links.slice(0, 5).join(' · ') }] }];
}

function figuresOf(card: MessageCard): KnownBlock[] {
  const figures = card?.figures ?? [];
  if (figures.length === 0) return [];
  return [
    {
      type: 'section',
      fields: figures
        .slice(0, 10)
        .map(({ label, value }) => ({ type: 'mrkdwn', text: `*${toMrkdwn(value)}*\n${toMrkdwn(label)}` })),
    },
  ];
}

/** Slack's limits for a table. */
const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
/** Cells are cut no shorter than this, in characters; beyond that, rows are left out. */
const MIN_CELL_LENGTH = 40;
const MAX_CELL_LENGTH = 300;

/** The card's table within Slack's limits of rows, cells and characters, with a count of the rows left out. */
function tableOf(card: MessageCard): KnownBlock[] {
  const { columns, rows } = card?.table ?? { columns: [], rows: [] };
  if (rows.length === 0) return [];
  const width = Math.min(columns.length, MAX_COLUMNS);
  const maxRows = Math.min(MAX_ROWS, Math.floor(BLOCK_LIMITS.table / (width * MIN_CELL_LENGTH))) - 1;
  const shown = [columns, ...rows.slice(0, maxRows)].map((row) => row.slice(0, width));
  const each = Math.min(MAX_CELL_LENGTH, Math.floor(BLOCK_LIMITS.table / (shown.length * width)));
  const cells = (row: readonly string[]) =>
    row.map((text) => ({ type: 'raw_text' as const, text: shorten(text || '–', each) }));
  const table = { type: 'table', rows: shown.map(cells) } as KnownBlock;
  if (rows.length <= maxRows) return [table];
  const left = `and ${(rows.length - maxRows).toLocaleString('en-GB')} more in <${linkToChat()}|Arc>`;
  return [table, { type: 'context', elements: [{ type: 'mrkdwn', text: left }] }];
}

/** Groups sections into posts, within Slack's limits of blocks and of characters after escaping. */
function postsOf(pieces: readonly string[]): string[][] {
  const posts: string[][] = [[]];
  let length = 0;
  for (const piece of pieces) {
    if ((posts.at(-1)?.length ?? 0) >= MAX_SECTIONS || length + piece.length > BLOCK_LIMITS.message) {
      posts.push([]);
      length = 0;
    }
    posts.at(-1)?.push(piece);
    length += piece.length;
  }
  return posts;
}
/** Blocks of a post that are not text: figures, buttons, links, feedback. */
const OTHER_BLOCKS = 4;
const MAX_SECTIONS = BLOCK_LIMITS.blocks - OTHER_BLOCKS;

/** A message as Slack posts: figures, text, buttons. A long text takes several posts, and a table has its own. */
export function messagePosts(content: MessageContent): SlackPost[] {
  const { text, card } = content;
  // Escape before splitting: one character may become five.
  const posts = postsOf(splitText(toMrkdwn(text), BLOCK_LIMITS.section - 100));
  const table = tableOf(card);
  const drawn = posts.map((pieces, index): SlackPost => {
    const words = pieces.map((piece): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text: piece } }));
    const first = index === 0 ? figuresOf(card) : [];
    const last = index === posts.length - 1 ? blocksBelow(content) : [];
    return { text: pieces.join('\n').slice(0, BLOCK_LIMITS.section), blocks: [...first, ...words, ...last] };
  });
  const said = drawn.filter(({ blocks }) => blocks.length > 0);
  return table.length > 0 ? [...said, { text: TABLE_FALLBACK, blocks: table }] : said;
}

const TABLE_FALLBACK = 'Table of details';
