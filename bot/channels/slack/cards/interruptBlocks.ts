import type { KnownBlock } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { linkToReview, outcomeUnder, questionUnder } from '../../../engine/delivery/consent.ts';
import { splitText } from '../../../engine/delivery/splitText.ts';
import type { SlackPost } from './messageBlocks.ts';
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

/** Most buttons that Slack takes in one row of actions; Arc's own questions have far fewer options. */
const MOST_OPTIONS = 24;

/** Buttons by the type of the question, in the order of the web: approve, ask, reject; accept, edit, reject. */
function buttonsOf(question: Interrupt, mode: ConsentMode): Button[] {
  const id = String(question.id);
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
  const { prompt } = questionUnder(mode, question);
  return {
    text: escapeText(`${question.agentName}: ${shorten(prompt, 2000)}`),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${escapeWithin(prompt, 2800)}*` } },
      ...detailsOf(question, mode),
      ...(buttonsOf(question, mode).length > 0
        ? [{ type: 'actions' as const, block_id: `interrupt:${question.id}`, elements: buttonsOf(question, mode) }]
        : []),
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: `Question ${question.id} · <${linkToReview(question.id)}|Open in Arc>` }],
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
