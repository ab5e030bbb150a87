import type { KnownBlock } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { ViewAction, ViewSection } from '../../../../models/contracts/questionView.ts';
import { linkToReview, outcomeUnder } from '../../../engine/delivery/consent.ts';
import { shorten, splitText } from '../../../engine/delivery/splitText.ts';
import { viewWithoutRows } from '../../../engine/questions/kinds/index.ts';
import type { SlackPost } from './messageBlocks.ts';
import { plain, writePressed } from './modals.ts';
import { BLOCK_LIMITS, escapeText, escapeWithin, toMrkdwn } from './text.ts';

type Button = {
  type: 'button';
  action_id: string;
  text: { type: 'plain_text'; text: string };
  value: string;
  style?: 'primary' | 'danger';
  url?: string;
  /** What Slack asks before it sends the press. */
  confirm?: { title: PlainText; text: PlainText; confirm: PlainText; deny: PlainText };
};
type PlainText = ReturnType<typeof plain>;

const button = (action: string, label: string, value: string, style?: 'primary' | 'danger'): Button => ({
  type: 'button',
  action_id: action,
  text: { type: 'plain_text', text: shorten(label, BLOCK_LIMITS.button) },
  value,
  ...(style ? { style } : {}),
});

/** Slack's limit for one actions block. */
const MAX_IN_ROW = 25;
/** Arc's own questions have far fewer. Further options can be chosen in Arc, and the message says so. */
const MAX_OPTIONS = 100;

const rowsOf = (buttons: Button[]) =>
  Array.from({ length: Math.ceil(buttons.length / MAX_IN_ROW) }, (_, row) =>
    buttons.slice(row * MAX_IN_ROW, (row + 1) * MAX_IN_ROW),
  );

/** A button for each action of the question, in the question's order. */
const buttonsOf = (question: Interrupt, mode: ConsentMode, actions: readonly ViewAction[]): Button[] =>
  actions.slice(0, MAX_OPTIONS).map(({ id, label, tone, fields, confirm }) => ({
    ...button(
      `answer:${id}`,
      label,
      writePressed({ interruptId: question.id, drawnUnder: mode }),
      tone === 'plain' ? undefined : tone,
    ),
    // An action with fields asks in its form.
    ...(confirm && fields.length === 0 ? { confirm: confirmation(label, confirm) } : {}),
  }));

/** Slack's limits for a confirmation, in characters. */
const CONFIRM_LIMITS = { title: 100, text: 300, button: 30 };

const confirmation = (label: string, text: string): NonNullable<Button['confirm']> => ({
  title: plain(shorten(label, CONFIRM_LIMITS.title)),
  text: plain(shorten(text, CONFIRM_LIMITS.text)),
  confirm: plain(shorten(label, CONFIRM_LIMITS.button)),
  deny: plain('Cancel'),
});

/** A section as lines of mrkdwn. */
function linesOf({ heading, text, items, more }: ViewSection): string[] {
  return [
    [heading && `*${toMrkdwn(heading)}*`, text && toMrkdwn(text)].filter(Boolean).join(' '),
    ...items.map((item) => {
      const { title, text: said, quote, colours } = item;
      const cited = quote ? `\n> ${toMrkdwn(shorten(quote.text, 200))} (${toMrkdwn(quote.source)})` : '';
      return `${[`*${toMrkdwn(title)}*`, said && toMrkdwn(said), ...colours.map(toMrkdwn)].filter(Boolean).join(' ')}${cited}`;
    }),
    more > 0 ? `and ${more} more` : '',
  ].filter(Boolean);
}

/** The question's sections, which already hold only what the consent mode allows. */
function detailsOf(sections: readonly ViewSection[]): KnownBlock[] {
  // Split between lines, so that no escape sequence is cut in two.
  const [shown] = splitText(sections.flatMap(linesOf).join('\n'), BLOCK_LIMITS.section - 100);
  return shown ? [{ type: 'section', text: { type: 'mrkdwn', text: shown } }] : [];
}

/** A pending question: one message with its buttons. Links only open Arc; they never answer. */
export function questionPost(question: Interrupt, mode: ConsentMode): SlackPost {
  const { prompt, sections, actions } = viewWithoutRows(question, mode);
  const further = actions.length > MAX_OPTIONS ? `${actions.length - MAX_OPTIONS} further options in Arc · ` : '';
  return {
    text: escapeText(`${question.agentName}: ${shorten(prompt, 2000)}`),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${escapeWithin(prompt, 2800)}*` } },
      ...detailsOf(sections),
      ...rowsOf(buttonsOf(question, mode, actions)).map((elements, row) => ({
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

/** An answered or withdrawn question: one line, no buttons. */
export function closedPost(question: Interrupt, mode: ConsentMode): SlackPost {
  const outcome = shorten(outcomeUnder(mode, question), 400);
  const { prompt } = viewWithoutRows(question, mode);
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

/** A question as it is now: open with its buttons, or closed. */
export const drawPost = (question: Interrupt, mode: ConsentMode): SlackPost =>
  question.status === 'pending' ? questionPost(question, mode) : closedPost(question, mode);
