import type { KnownBlock } from '@slack/web-api';
import { type MessageCard, wordsOfAction } from '../../../../models/contracts/chat.ts';
import { linkToChat, linkToDownload } from '../../../engine/delivery/consent.ts';
import { shorten, splitText } from '../../../engine/delivery/splitText.ts';
import { BLOCK_LIMITS, toMrkdwn } from './text.ts';

export type SlackPost = { text: string; blocks: KnownBlock[] };
type Told = { text: string; card: MessageCard; attachments?: readonly { name: string }[] };

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

/** Downloads whose files do not come with the message: links, which open Arc. */
function linksOf({ card, attachments = [] }: Told): KnownBlock[] {
  const sent = new Set(attachments.map(({ name }) => name));
  const links = (card?.actions ?? []).flatMap(({ label, action, value }) =>
    action === 'download' && value && !sent.has(value) ? [`<${linkToDownload(value)}|${toMrkdwn(label)}>`] : [],
  );
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

/** Most rows and cells of a row that Slack takes. */
const MOST_ROWS = 100;
const MOST_COLUMNS = 20;
/** A cell that is cut shorter says nothing: then rather fewer rows. */
const SHORTEST_CELL = 40;
const LONGEST_CELL = 300;

/** A table of evidence, within the rows, cells and characters that Slack takes; what is left out is counted. */
function tableOf(card: MessageCard): KnownBlock[] {
  const { columns, rows } = card?.table ?? { columns: [], rows: [] };
  if (rows.length === 0) return [];
  const wide = Math.min(columns.length, MOST_COLUMNS);
  const most = Math.min(MOST_ROWS, Math.floor(BLOCK_LIMITS.table / (wide * SHORTEST_CELL))) - 1;
  const shown = [columns, ...rows.slice(0, most)].map((row) => row.slice(0, wide));
  const each = Math.min(LONGEST_CELL, Math.floor(BLOCK_LIMITS.table / (shown.length * wide)));
  const cells = (row: readonly string[]) =>
    row.map((text) => ({ type: 'raw_text' as const, text: shorten(text || '–', each) }));
  const table = { type: 'table', rows: shown.map(cells) } as KnownBlock;
  if (rows.length <= most) return [table];
  const left = `and ${(rows.length - most).toLocaleString('en-GB')} more in <${linkToChat()}|Arc>`;
  return [table, { type: 'context', elements: [{ type: 'mrkdwn', text: left }] }];
}

/** Sections by the posts that hold them: so many blocks and so many characters, as they stand escaped. */
function postsOf(pieces: readonly string[]): string[][] {
  const posts: string[][] = [[]];
  let length = 0;
  for (const piece of pieces) {
    if ((posts.at(-1)?.length ?? 0) >= MOST_SECTIONS || length + piece.length > BLOCK_LIMITS.message) {
      posts.push([]);
      length = 0;
    }
    posts.at(-1)?.push(piece);
    length += piece.length;
  }
  return posts;
}
/** What stands beside the words of a post: figures, buttons, links. */
const BESIDE = 3;
const MOST_SECTIONS = BLOCK_LIMITS.blocks - BESIDE;

/** A message as Slack posts: figures first, then the words, then buttons; more than one post where it is long, a table in its own. */
export function messagePosts(told: Told): SlackPost[] {
  const { text, card } = told;
  // Escaped before it is split: one sign may become five.
  const posts = postsOf(splitText(toMrkdwn(text), BLOCK_LIMITS.section - 100));
  const table = tableOf(card);
  const drawn = posts.map((pieces, index): SlackPost => {
    const words = pieces.map((piece): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text: piece } }));
    const first = index === 0 ? figuresOf(card) : [];
    const last = index === posts.length - 1 ? [...actionsOf(card), ...linksOf(told)] : [];
    return { text: pieces.join('\n').slice(0, BLOCK_LIMITS.section), blocks: [...first, ...words, ...last] };
  });
  const said = drawn.filter(({ blocks }) => blocks.length > 0);
  return table.length > 0 ? [...said, { text: TABLE, blocks: table }] : said;
}

const TABLE = 'What is to be fixed';
