import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { QuestionView, ViewField } from '../../../../models/contracts/questionView.ts';
import { linkToReview, outcomeUnder } from '../../../engine/delivery/consent.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { viewWithoutRows } from '../../../engine/questions/kinds/index.ts';
import {
  type Card,
  card,
  execute,
  fitCard,
  inputOf,
  MAX_CARD_BYTES,
  openDialog,
  openUrl,
  type Part,
  sizeOf,
  subtle,
  textBlock,
} from './card.ts';
import { speakerLine } from './speaker.ts';
import { plain } from './text.ts';

/** Who sees the card: people who may answer get buttons, everyone else only the question's state. */
type Viewer = {
  mayAnswer: boolean;
  /** People for whom Teams fetches their own card; if empty, Teams does so for everyone in a small conversation. */
  refreshFor: readonly string[];
};

/** The limit of Teams (docs/platforms.md). */
const MAX_REFRESHED = 60;
/** Teams shows six buttons of a card at once; Arc's own questions have fewer options. */
const MAX_OPTIONS = 6;
const MAX_FIELD_LENGTH = 4000;

const textInput = (id: string, label: string, more: Record<string, unknown> = {}): Part => ({
  type: 'Input.Text',
  id,
  label,
  isMultiline: true,
  maxLength: 2000,
  isRequired: true,
  errorMessage: `${label} is missing.`,
  ...more,
});

const showCard = (title: string, body: Part[], button: Part): Part => ({
  type: 'Action.ShowCard',
  title,
  card: card(body, [button]),
});

/** The data of a question's buttons: the question, and the consent mode under which the person saw it. */
type ButtonData = { interruptId: number; drawnUnder: ConsentMode };

const TONES = { primary: 'positive', plain: undefined, danger: 'destructive' } as const;

const choiceInput = (id: string, label: string, options: NonNullable<ViewField['options']>): Part => ({
  type: 'Input.ChoiceSet',
  id,
  label,
  style: 'expanded',
  wrap: true,
  isRequired: true,
  errorMessage: `${label} Choose one.`,
  choices: options.map((option) => ({ title: shorten(option.label, 200), value: option.id })),
});

const fieldPart = ({ name, label, required, maxLength, options, value = '' }: ViewField): Part =>
  options
    ? { ...choiceInput(inputOf(name), label, options), isRequired: required }
    : textInput(inputOf(name), label, {
        maxLength: Math.min(maxLength, MAX_FIELD_LENGTH),
        // A longer text stays as it is unless something is typed.
        isRequired: required && value.length <= MAX_FIELD_LENGTH,
        ...(value && value.length <= MAX_FIELD_LENGTH ? { value } : {}),
      });

type Shown = Omit<QuestionView, 'rows'>;

/** A question whose only action has fields shows them on the card itself. */
const isInline = ({ actions }: Shown) => actions.length === 1 && (actions[0]?.fields.length ?? 0) > 0;

/** A button for each action, in the question's order; the fields of an action open on the card. */
function actionsOf(view: Shown, data: ButtonData): Part[] {
  return view.actions.slice(0, MAX_OPTIONS).map(({ id, label, tone, fields, opens, confirm }) => {
    const button = (title: string) => execute(title, id, data, TONES[tone]);
    if (opens) return openDialog(shorten(label, 100), 'review', data, TONES[tone]);
    if ((fields.length === 0 && !confirm) || isInline(view)) return button(shorten(label, 100));
    const asked = view.fields.filter(({ name }) => fields.includes(name)).map(fieldPart);
    const warning = confirm ? [textBlock(plain(confirm))] : [];
    return showCard(shorten(label, 100), [...warning, ...asked], button(confirm ? shorten(label, 100) : 'Send'));
  });
}

/** The question's sections with at most `maxItems` items each; `share` shortens the texts. */
function detailsOf(view: Shown, maxItems: number, share: number): Part[] {
  return view.sections.flatMap(({ heading, text, items, more }) => {
    const intro = [heading && `**${plain(heading)}**`, text && plain(shorten(text, 2000 * share))]
      .filter(Boolean)
      .join(' ');
    const shown = items.slice(0, maxItems).map(({ title, text: itemText, quote, colours }) => {
      const cited = quote ? `\n\n_${plain(shorten(quote.text, 200))}_ (${plain(quote.source)})` : '';
      const line = [`**${plain(title)}**`, itemText && plain(itemText), ...colours.map(plain)]
        .filter(Boolean)
        .join(' ');
      return textBlock(`${line}${cited}`, { spacing: 'Small' });
    });
    const left = items.length - shown.length + more;
    return [...(intro ? [textBlock(intro)] : []), ...shown, ...(left > 0 ? [subtle(`and ${left} more`)] : [])];
  });
}

const MAX_ITEMS = 5;
/** If a card without items is still too large, its texts are shortened by halves, from this many parts. */
const TEXT_PARTS = 8;

/** A pending question: with buttons for people who may answer. Links only open Arc; they never answer. */
export function questionCard(
  question: Interrupt,
  mode: ConsentMode,
  { mayAnswer, refreshFor }: Viewer,
  fault?: string,
): Card {
  const view = viewWithoutRows(question, mode);
  const inline = mayAnswer && isInline(view) ? view.fields.map(fieldPart) : [];
  const refresh = {
    action: execute('Refresh', 'refresh', { interruptId: question.id }),
    ...(refreshFor.length > 0 ? { userIds: refreshFor.slice(0, MAX_REFRESHED) } : {}),
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
  const full = fitCard(MAX_ITEMS, (rows) => draw(rows, 1));
  // The card links to Arc, which has the whole text.
  return sizeOf(full) < MAX_CARD_BYTES
    ? full
    : fitCard(TEXT_PARTS, (parts) => draw(0, Math.max(parts, 1 / 2) / TEXT_PARTS));
}

/** An answered or withdrawn question: one line and a link. */
export function closedCard(question: Interrupt, mode: ConsentMode): Card {
  const { prompt } = viewWithoutRows(question, mode);
  return card(
    [textBlock(`**${plain(outcomeUnder(mode, question))}** · ${plain(shorten(prompt, 200))}`)],
    [openUrl('Open in Arc', linkToReview(question.id))],
  );
}
