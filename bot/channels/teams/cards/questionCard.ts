import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionView, ViewField } from '../../../../models/contracts/questionView.ts';
import { linkToReview, outcomeUnder } from '../../../engine/delivery/consent.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { viewQuestion } from '../../../engine/questions/kinds/index.ts';
import {
  CARD_BYTES,
  type Card,
  card,
  execute,
  fitCard,
  inputOf,
  openDialog,
  openUrl,
  type Part,
  subtle,
  textBlock,
  weightOf,
} from './card.ts';
import { speakerLine } from './speaker.ts';
import { plain } from './text.ts';

/** Whose card it is: someone who may answer has the buttons, anyone else sees how it stands. */
type Viewer = {
  mayAnswer: boolean;
  /** For whom Teams fetches a card of their own; none leaves it to everyone of a small conversation. */
  refreshFor: readonly string[];
};

/** Teams takes sixty (docs/platforms.md). */
const MOST_REFRESHED = 60;
/** Teams shows six buttons of a card at once; Arc's own questions have fewer options. */
const MOST_OPTIONS = 6;
/** Longest words that are typed on a card. */
const LONGEST_FIELD = 4000;

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

const TONES = { primary: 'positive', plain: undefined, danger: 'destructive' } as const;

const fieldPart = ({ name, label, required, maxLength }: ViewField): Part =>
  words(inputOf(name), label, { maxLength: Math.min(maxLength, LONGEST_FIELD), isRequired: required });

/** A question with one action asks for its words on the card itself. */
const isInline = ({ actions }: QuestionView) => actions.length === 1 && (actions[0]?.fields.length ?? 0) > 0;

/** A button for each action, in its order; one that asks for words opens them on the card. */
function actionsOf(view: QuestionView, of: Asked): Part[] {
  return view.actions.slice(0, MOST_OPTIONS).map(({ id, label, tone, fields, opens }) => {
    const press = (title: string) => execute(title, id, of, TONES[tone]);
    if (opens) return openDialog(shorten(label, 100), 'review', of, TONES[tone]);
    if (fields.length === 0 || isInline(view)) return press(shorten(label, 100));
    const asked = view.fields.filter(({ name }) => fields.includes(name)).map(fieldPart);
    return showCard(shorten(label, 100), asked, press('Send'));
  });
}

/** What the question is about, with at most so many of its items. */
function detailsOf(view: QuestionView, most: number, share: number): Part[] {
  return view.sections.flatMap(({ heading, text, items, more }) => {
    const said = [heading && `**${plain(heading)}**`, text && plain(shorten(text, 2000 * share))]
      .filter(Boolean)
      .join(' ');
    const shown = items.slice(0, most).map(({ title, text: told, quote, colours }) => {
      const cited = quote ? `\n\n_${plain(shorten(quote.text, 200))}_ (${plain(quote.source)})` : '';
      const line = [`**${plain(title)}**`, told && plain(told), ...colours.map(plain)].filter(Boolean).join(' ');
      return textBlock(`${line}${cited}`, { spacing: 'Small' });
    });
    const left = items.length - shown.length + more;
    return [...(said ? [textBlock(said)] : []), ...shown, ...(left > 0 ? [subtle(`and ${left} more`)] : [])];
  });
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
  const view = viewQuestion(question, mode);
  const inline = mayAnswer && isInline(view) ? view.fields.map(fieldPart) : [];
  const refresh = {
    action: execute('Refresh', 'refresh', { interruptId: question.id }),
    ...(refreshFor.length > 0 ? { userIds: refreshFor.slice(0, MOST_REFRESHED) } : {}),
  };
  const draw = (rows: number, share: number) =>
    card(
      [
        speakerLine(question),
        textBlock(plain(shorten(view.prompt, 4000 * share)), { weight: 'Bolder' }),
        ...detailsOf(view, rows, share),
        ...inline,
        fault ? textBlock(plain(fault), { color: 'Attention' }) : null,
        mayAnswer
          ? null
          : subtle(question.requires ? 'Waiting for the Clinical Safety Officer.' : 'Waiting for an approver.'),
        subtle(`Question ${question.id}`),
      ],
      [
        ...(mayAnswer ? actionsOf(view, { interruptId: question.id, drawnUnder: mode }) : []),
        openUrl('Open in Arc', linkToReview(question.id)),
      ],
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
  const { prompt } = viewQuestion(question, mode);
  return card(
    [textBlock(`**${plain(outcomeUnder(mode, question))}** · ${plain(shorten(prompt, 200))}`)],
    [openUrl('Open in Arc', linkToReview(question.id))],
  );
}
