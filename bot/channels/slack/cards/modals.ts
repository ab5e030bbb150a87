import type { InputBlock, KnownBlock, ModalView } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { CONSENT_MODES, type ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { ViewField } from '../../../../models/contracts/questionView.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { viewWithoutRows } from '../../../engine/questions/kinds/index.ts';
import { escapeWithin, toMrkdwn } from './text.ts';

/** What a submitted modal holds: block, then element. */
type ModalValues = Record<
  string,
  Record<string, { value?: string | null; selected_option?: { value: string } | null } | undefined> | undefined
>;

export const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** The value of a question's button: the question, and the consent mode under which the person saw it. */
export type Pressed = { interruptId: number; drawnUnder: ConsentMode | undefined };
export const writePressed = ({ interruptId, drawnUnder }: Pressed) => `${interruptId}:${drawnUnder}`;
export function readPressed(value: string | undefined): Pressed {
  const [id = '', mode] = (value ?? '').split(':');
  return { interruptId: Number(id || Number.NaN), drawnUnder: CONSENT_MODES.find((it) => it === mode) };
}

/** A modal's private metadata: also the page of a review, and whether it was opened from App Home. */
type ModalMemory = Pressed & {
  page: number;
  home: boolean;
  /** When the draft that the page shows was saved; empty for none. */
  seenAt?: string;
  /** The action whose fields the modal asks for, and their names. */
  action?: string;
  fields?: string[];
};
export const writeMemory = (memory: ModalMemory) => JSON.stringify(memory);
export const readMemory = (text: string): ModalMemory => JSON.parse(text) as ModalMemory;

/** Slack's limits for a modal's title and for a text field, in characters. */
const MAX_TITLE_LENGTH = 24;
export const MAX_FIELD_LENGTH = 3000;

/** Slack's limits for an input's label and for an option, in characters, and for the options of a menu. */
const MAX_LABEL_LENGTH = 2000;
const MAX_OPTION_LENGTH = 75;
const MAX_MENU_OPTIONS = 100;

/** Whether a field can begin with a text. A longer one stays as it is unless something is typed. */
const fits = (value: string) => value.length <= MAX_FIELD_LENGTH;

/** A text field, or a menu of the field's options. */
function elementOf({ maxLength, options, value }: ViewField): InputBlock['element'] {
  if (!options)
    return {
      type: 'plain_text_input',
      action_id: 'text',
      multiline: true,
      max_length: Math.min(maxLength, MAX_FIELD_LENGTH),
      ...(value && fits(value) ? { initial_value: value } : {}),
    };
  return {
    type: 'static_select',
    action_id: 'option',
    options: options
      .slice(0, MAX_MENU_OPTIONS)
      .map(({ id, label }) => ({ text: plain(shorten(label, MAX_OPTION_LENGTH)), value: id })),
  };
}

/** A field of a submitted modal: the typed text, or the id of the chosen option; empty where nothing was given. */
export const readElement = (values: ModalValues, field: string): string =>
  values[field]?.text?.value ?? values[field]?.option?.selected_option?.value ?? '';

/** A modal for the fields of an action, each in a block with the field's name. */
export function fieldsModal(question: Interrupt, mode: ConsentMode, actionId: string, home: boolean): ModalView {
  const { prompt, sections, actions, fields } = viewWithoutRows(question, mode);
  const action = actions.find(({ id }) => id === actionId);
  const text = [action?.confirm, prompt, ...sections.map((section) => section.text)].filter(Boolean).join('\n');
  const asked = fields.filter(({ name }) => action?.fields.includes(name));
  return {
    type: 'modal',
    callback_id: 'answer_fields',
    private_metadata: writeMemory({
      interruptId: question.id,
      drawnUnder: mode,
      page: 0,
      home,
      action: actionId,
      fields: asked.map(({ name }) => name),
    }),
    title: plain(shorten(action?.label ?? 'Answer', MAX_TITLE_LENGTH)),
    submit: plain('Send'),
    close: plain('Cancel'),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: escapeWithin(text, 2900) } },
      ...asked.map(
        (field): KnownBlock => ({
          type: 'input',
          block_id: field.name,
          optional: !field.required || !fits(field.value ?? ''),
          label: plain(shorten(field.label, MAX_LABEL_LENGTH)),
          element: elementOf(field),
        }),
      ),
    ],
  };
}

/** A modal for the reason why an answer did not help. */
export const reasonModal = (memory: { messageId: string; channel: string }): ModalView => ({
  type: 'modal',
  callback_id: 'feedback_reason',
  private_metadata: JSON.stringify(memory),
  title: plain('What was wrong?'),
  submit: plain('Send'),
  close: plain('Cancel'),
  blocks: [
    {
      type: 'input',
      block_id: 'reason',
      label: plain('What did you expect?'),
      element: { type: 'plain_text_input', action_id: 'text', multiline: true, max_length: LIMITS.feedbackReason },
    },
  ],
});

/** A modal without inputs, e.g. to say that the question was answered meanwhile. */
export const noticeModal = (title: string, text: string): ModalView => ({
  type: 'modal',
  title: plain(title),
  close: plain('Close'),
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: toMrkdwn(text) } }],
});
