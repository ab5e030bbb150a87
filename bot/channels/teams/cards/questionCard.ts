import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { linkToReview, outcomeUnder, questionUnder } from '../../../engine/delivery/consent.ts';
import {
  CARD_BYTES,
  type Card,
  card,
  execute,
  fitCard,
  openDialog,
  openUrl,
  type Part,
  subtle,
  textBlock,
  weightOf,
} from './card.ts';
import { speakerLine } from './speaker.ts';
import { plain, shorten } from './text.ts';

/** Whose card it is: someone who may answer has the buttons, anyone else sees how it stands. */
export type Viewer = {
  mayAnswer: boolean;
  /** For whom Teams fetches a card of their own; none leaves it to everyone of a small conversation. */
  refreshFor: readonly string[];
};

/** Teams takes sixty (facts of the platform). */
const MOST_REFRESHED = 60;
/** Teams shows six buttons of a card at once; Arc's own questions have fewer options. */
const MOST_OPTIONS = 6;

const words = (id: string, label: string, more: Record<string, unknown> = {}): Part => ({
  type: 'Input.Text',
  id,
  label,
  isMultiline: true,
  maxLength: 2000,
  isRequired: true,
  errorMessage: `${label} is missing.`,
  ...more,
});

const showCard = (title: string, body: Part[], press: Part): Part => ({
  type: 'Action.ShowCard',
  title,
  card: card(body, [press]),
});

/** What every button of a question carries: which it is, and under which mode whoever presses was shown it. */
type Asked = { interruptId: number; drawnUnder: ConsentMode };

/** A rejection with its reason, opened on the card itself. */
const reject = (title: string, of: Asked): Part =>
  showCard(title, [words('reason', 'Reason')], execute('Reject', 'reject', of, 'destructive'));

/** Buttons by the type of the question, in the order of the web: approve, ask, reject; accept, edit, reject. */
function actionsOf(question: Interrupt, mode: ConsentMode): Part[] {
  const { id: interruptId, interruptType } = question;
  const of: Asked = { interruptId, drawnUnder: mode };
  const choices = questionUnder(mode, question)
    .options.slice(0, MOST_OPTIONS)
    .map(({ id, label }, index) => {
      const press = (title: string) => execute(title, 'option', { ...of, option: index });
      // To edit a project needs words.
      if (interruptType === 'decision' || id !== 'edit') return press(shorten(label, 100));
      return showCard(shorten(label, 100), [words('change', 'What should change')], press('Send'));
    });
  const byType: Record<Interrupt['interruptType'], () => Part[]> = {
    approval: () => [execute('Approve', 'approve', of, 'positive'), reject('Reject', of)],
    hazard_review: () => [
      openDialog('Review row by row', 'review', of, 'positive'),
      execute('Accept all', 'approve', of),
      reject('Reject all', of),
    ],
    decision: () => choices,
    input: () => [execute('Send', 'input', of, 'positive')],
    project_preview: () => choices,
    REPLIT_PROJECT_CREATED: () => choices,
  };
  return byType[interruptType]();
}

/** What the question is about, as far as the mode lets it leave, with at most so many of its rows. */
function detailsOf(question: Interrupt, mode: ConsentMode, most: number, share: number): Part[] {
  const { description, proposals } = questionUnder(mode, question);
  const rows = proposals.slice(0, most).map(({ proposedId, title, words: told }) => {
    const name = told?.values.name ?? title;
    const quote = told?.evidence[0];
    const cited = quote ? `\n\n_${plain(shorten(quote.quote, 200))}_ (${plain(quote.ticketKey)})` : '';
    return textBlock(`**${plain(proposedId)}**${name ? ` ${plain(name)}` : ''}${cited}`, { spacing: 'Small' });
  });
  const left = proposals.length - rows.length;
  return [
    ...(description ? [textBlock(plain(shorten(description, 2000 * share)))] : []),
    ...rows,
    ...(left > 0 ? [subtle(`and ${left} more`)] : []),
  ];
}

const PREVIEWED = 5;
/** Where even a card without rows is too heavy, its words become shorter by halves of so many parts. */
const WORD_PARTS = 8;

/** A question that waits: its buttons for who may answer, how it stands for anyone else; no link in it changes anything. */
export function questionCard(
  question: Interrupt,
  mode: ConsentMode,
  { mayAnswer, refreshFor }: Viewer,
  fault?: string,
): Card {
  const { prompt } = questionUnder(mode, question);
  const wantsWords = mayAnswer && question.interruptType === 'input';
  const refresh = {
    action: execute('Refresh', 'refresh', { interruptId: question.id }),
    ...(refreshFor.length > 0 ? { userIds: refreshFor.slice(0, MOST_REFRESHED) } : {}),
  };
  const draw = (rows: number, share: number) =>
    card(
      [
        speakerLine(question),
        textBlock(plain(shorten(prompt, 4000 * share)), { weight: 'Bolder' }),
        ...detailsOf(question, mode, rows, share),
        wantsWords ? words('answer', 'Your answer', { maxLength: 4000 }) : null,
        fault ? textBlock(plain(fault), { color: 'Attention' }) : null,
        mayAnswer
          ? null
          : subtle(question.requires ? 'Waiting for the Clinical Safety Officer.' : 'Waiting for an approver.'),
        subtle(`Question ${question.id}`),
      ],
      [...(mayAnswer ? actionsOf(question, mode) : []), openUrl('Open in Arc', linkToReview(question.id))],
      { refresh },
    );
  const full = fitCard(PREVIEWED, (rows) => draw(rows, 1));
  // The rest of its words is in Arc, to which the card links.
  return weightOf(full) < CARD_BYTES
    ? full
    : fitCard(WORD_PARTS, (parts) => draw(0, Math.max(parts, 1 / 2) / WORD_PARTS));
}

/** A question that is answered or withdrawn: one line and a link. */
export function closedCard(question: Interrupt, mode: ConsentMode): Card {
  const { prompt } = questionUnder(mode, question);
  return card(
    [textBlock(`**${plain(outcomeUnder(mode, question))}** · ${plain(shorten(prompt, 200))}`)],
    [openUrl('Open in Arc', linkToReview(question.id))],
  );
}
