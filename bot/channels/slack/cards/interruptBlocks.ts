import type { KnownBlock } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { linkToReview, outcomeUnder, questionUnder } from '../../../engine/delivery/consent.ts';
import { splitText } from '../../../engine/delivery/splitText.ts';
import type { SlackPost } from './messageBlocks.ts';
import { writePressed } from './modals.ts';
import { BLOCK_LIMITS, escapeText, escapeWithin, shorten, toMrkdwn } from './text.ts';

type Button = {
  type: 'button';
  action_id: string;
  text: { type: 'plain_text'; text: string };
  value: string;
  style?: 'primary' | 'danger';
  url?: string;
};

const button = (action: string, label: string, value: string, style?: 'primary' | 'danger'): Button => ({
  type: 'button',
  action_id: action,
  text: { type: 'plain_text', text: shorten(label, BLOCK_LIMITS.button) },
  value,
  ...(style ? { style } : {}),
});

/** Most buttons that Slack takes in one block of actions. */
const MOST_IN_ROW = 25;
/** Arc's own questions have far fewer; whatever is beyond is chosen in Arc, and the message says so. */
const MOST_OPTIONS = 100;

const rowsOf = (buttons: Button[]) =>
  Array.from({ length: Math.ceil(buttons.length / MOST_IN_ROW) }, (_, row) =>
    buttons.slice(row * MOST_IN_ROW, (row + 1) * MOST_IN_ROW),
  );

/** Buttons by the type of the question, in the order of the web: approve, ask, reject; accept, edit, reject. */
function buttonsOf(question: Interrupt, mode: ConsentMode): Button[] {
  const id = writePressed({ interruptId: question.id, drawnUnder: mode });
  const { options } = questionUnder(mode, question);
  const choices = options.slice(0, MOST_OPTIONS).map(({ label }, index) => button(`answer:option:${index}`, label, id));
  const byType: Record<Interrupt['interruptType'], Button[]> = {
    approval: [button('answer:approve', 'Approve', id, 'primary'), button('answer:reject', 'Reject', id, 'danger')],
    hazard_review: [
      button('answer:review', 'Review row by row', id, 'primary'),
      button('answer:approve', 'Accept all', id),
      button('answer:reject', 'Reject all', id, 'danger'),
    ],
    decision: choices,
    input: [button('answer:input', 'Answer', id, 'primary')],
    project_preview: choices,
    REPLIT_PROJECT_CREATED: choices,
  };
  return byType[question.interruptType];
}

const PREVIEWED = 5;

/** What the question is about, as far as the mode lets it leave. */
function detailsOf(question: Interrupt, mode: ConsentMode): KnownBlock[] {
  const { description, proposals } = questionUnder(mode, question);
  const lines = proposals.slice(0, PREVIEWED).map(({ proposedId, title, words }) => {
    const name = words?.values.name ?? title;
    const quote = words?.evidence[0];
    return `*${toMrkdwn(proposedId)}*${name ? ` ${toMrkdwn(name)}` : ''}${quote ? `\n> ${toMrkdwn(shorten(quote.quote, 200))} (${toMrkdwn(quote.ticketKey)})` : ''}`;
  });
  if (proposals.length > PREVIEWED) lines.push(`and ${proposals.length - PREVIEWED} more`);
  const text = [description && toMrkdwn(description), ...lines].filter(Boolean).join('\n');
  // Cut between lines: what is escaped must not be cut in two.
  const [shown] = splitText(text, BLOCK_LIMITS.section - 100);
  return shown ? [{ type: 'section', text: { type: 'mrkdwn', text: shown } }] : [];
}

/** A question that waits: one message, with its buttons; no link in it changes anything. */
export function questionPost(question: Interrupt, mode: ConsentMode): SlackPost {
  const { prompt, options } = questionUnder(mode, question);
  const further = options.length > MOST_OPTIONS ? `${options.length - MOST_OPTIONS} further options in Arc · ` : '';
  return {
    text: escapeText(`${question.agentName}: ${shorten(prompt, 2000)}`),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${escapeWithin(prompt, 2800)}*` } },
      ...detailsOf(question, mode),
      ...rowsOf(buttonsOf(question, mode)).map((elements, row) => ({
        type: 'actions' as const,
        block_id: row === 0 ? `interrupt:${question.id}` : `interrupt:${question.id}:${row}`,
        elements,
      })),
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: `Question ${question.id} · ${further}<${linkToReview(question.id)}|Open in Arc>` },
        ],
      },
    ],
  };
}

/** A question that is answered or withdrawn: one line, no buttons. */
export function closedPost(question: Interrupt, mode: ConsentMode): SlackPost {
  const outcome = shorten(outcomeUnder(mode, question), 400);
  const { prompt } = questionUnder(mode, question);
  const line = `${outcome}. ${shorten(prompt, 200)}`;
  return {
    text: escapeText(line),
    blocks: [
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `*${toMrkdwn(outcome)}* · ${toMrkdwn(shorten(prompt, 200))} · <${linkToReview(question.id)}|Open in Arc>`,
          },
        ],
      },
    ],
  };
}
