import type { KnownBlock } from '@slack/web-api';
import type { MessageCard } from '../../../../models/contracts/chat.ts';
import { BLOCK_LIMITS, escapeText, shorten, splitText, toMrkdwn } from './text.ts';

export type SlackPost = { text: string; blocks: KnownBlock[] };
type Told = { text: string; card: MessageCard };

/** Buttons that ask the agent for something: their words are sent as if the person had said them. */
const SAYING: Record<string, (value: string | undefined) => string> = {
  send: (value) => value ?? '',
  merge: () => 'Merge new lines into Hazard Log',
  sample: () => 'Try it with a sample',
};

function actionsOf(card: MessageCard): KnownBlock[] {
  const elements = (card?.actions ?? [])
    .filter(({ action }) => action in SAYING)
    .slice(0, 5)
    .map(({ label, action, value }, index) => ({
      type: 'button' as const,
      action_id: `say:${index}`,
      text: { type: 'plain_text' as const, text: shorten(label, BLOCK_LIMITS.button) },
      value: shorten(SAYING[action]?.(value) ?? '', 2000),
      ...(index === 0 ? { style: 'primary' as const } : {}),
    }));
  return elements.length > 0 ? [{ type: 'actions', elements }] : [];
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

/** A table of evidence; Slack takes a hundred rows of twenty cells. */
function tableOf(card: MessageCard): KnownBlock[] {
  const { columns, rows } = card?.table ?? { columns: [], rows: [] };
  if (rows.length === 0) return [];
  const cells = (row: readonly string[]) =>
    row.slice(0, 20).map((text) => ({ type: 'raw_text' as const, text: shorten(text || '–', 300) }));
  return [{ type: 'table', rows: [cells(columns), ...rows.slice(0, 99).map(cells)] } as KnownBlock];
}

/** A message as Slack posts: figures first, then the words, then buttons; more than one post where it is long. */
export function messagePosts({ text, card }: Told): SlackPost[] {
  const parts = splitText(text, BLOCK_LIMITS.message - 1000);
  return parts.map((part, index) => {
    // Escaped before it is split: one sign may become five.
    const words = splitText(toMrkdwn(part), BLOCK_LIMITS.section - 100).map(
      (piece): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text: piece } }),
    );
    const first = index === 0 ? figuresOf(card) : [];
    const last = index === parts.length - 1 ? [...tableOf(card), ...actionsOf(card)] : [];
    return {
      text: shorten(escapeText(part), 3000),
      blocks: [...first, ...words, ...last].slice(0, BLOCK_LIMITS.blocks),
    };
  });
}
