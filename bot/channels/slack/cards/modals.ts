import type { ModalView } from '@slack/web-api';
import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import { CONSENT_MODES, type ConsentMode } from '../../../../models/contracts/preferences.ts';
import { questionUnder } from '../../../engine/delivery/consent.ts';
import { escapeWithin, toMrkdwn } from './text.ts';

export const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** What a button of a question carries: which it is, and under which mode whoever presses was shown it. */
export type Pressed = { interruptId: number; drawnUnder: ConsentMode | undefined };
export const writePressed = ({ interruptId, drawnUnder }: Pressed) => `${interruptId}:${drawnUnder}`;
export function readPressed(value: string | undefined): Pressed {
  const [id = '', mode] = (value ?? '').split(':');
  return { interruptId: Number(id || Number.NaN), drawnUnder: CONSENT_MODES.find((it) => it === mode) };
}

/** What a modal remembers beside that: the page of a review, and whether it was opened from App Home. */
export type ModalMemory = Pressed & { page: number; home: boolean };
export const writeMemory = (memory: ModalMemory) => JSON.stringify(memory);
export const readMemory = (text: string): ModalMemory => JSON.parse(text) as ModalMemory;

/** A question asked in a modal, with one field for words. */
function wordsModal(
  question: Interrupt,
  mode: ConsentMode,
  home: boolean,
  it: { callback: string; title: string; submit: string; block: string; label: string; most: number },
): ModalView {
  const { prompt, description } = questionUnder(mode, question);
  const text = [prompt, description].filter(Boolean).join('\n');
  return {
    type: 'modal',
    callback_id: it.callback,
    private_metadata: writeMemory({ interruptId: question.id, drawnUnder: mode, page: 0, home }),
    title: plain(it.title),
    submit: plain(it.submit),
    close: plain('Cancel'),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: escapeWithin(text, 2900) } },
      {
        type: 'input',
        block_id: it.block,
        label: plain(it.label),
        element: { type: 'plain_text_input', action_id: 'text', multiline: true, max_length: it.most },
      },
    ],
  };
}

/** A question that is answered in words. */
export const inputModal = (question: Interrupt, mode: ConsentMode, home: boolean): ModalView =>
  wordsModal(question, mode, home, {
    callback: 'answer_input',
    title: 'Answer',
    submit: 'Send',
    block: 'answer',
    label: 'Your answer',
    most: 3000,
  });

/** What should change in a project, where its answer is to edit it. */
export const editModal = (question: Interrupt, mode: ConsentMode, home: boolean): ModalView =>
  wordsModal(question, mode, home, {
    callback: 'answer_edit',
    title: 'What should change?',
    submit: 'Send',
    block: 'change',
    label: 'What should change',
    most: 3000,
  });

/** A rejection with its reason. */
export const rejectModal = (question: Interrupt, mode: ConsentMode, home: boolean): ModalView =>
  wordsModal(question, mode, home, {
    callback: 'reject',
    title: 'Reject',
    submit: 'Reject',
    block: 'reason',
    label: 'Reason',
    most: 2000,
  });

/** A modal that has nothing more to ask: what was decided while it was open, or why it can't go on. */
export const toldModal = (title: string, text: string): ModalView => ({
  type: 'modal',
  title: plain(title),
  close: plain('Close'),
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: toMrkdwn(text) } }],
});
