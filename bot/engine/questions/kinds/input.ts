import type { ViewAction, ViewField } from '../../../../models/contracts/questionView.ts';
import { type QuestionKind, unfit } from './kind.ts';
import { promptUnder, sectionsOf } from './sections.ts';

const SHOWN_ANSWER = 100;

export const ANSWER: ViewField = {
  name: 'answer',
  label: 'Your answer',
  required: true,
  maxLength: 8000,
  answers: 'userInput',
};
export const SEND: ViewAction = {
  id: 'input',
  name: 'answer',
  label: 'Send answer',
  tone: 'primary',
  fields: ['answer'],
  opens: null,
  answer: {},
};

/** A question answered by a text. */
export const input: QuestionKind = {
  id: 'input',
  label: 'Input',
  isForPrograms: true,
  check(_row, { userInput }) {
    if (!userInput?.trim()) throw unfit('userInput', 'Please write an answer.');
    return { userResponse: { userInput: userInput.trim() }, outcome: 'answered' };
  },
  readMessage: (_row, text) => (text.length <= ANSWER.maxLength ? { userInput: text } : null),
  view: (question, mode) => ({
    prompt: promptUnder(question, mode),
    sections: sectionsOf(question, mode),
    fields: [ANSWER],
    actions: [SEND],
  }),
  answered({ userResponse }, mode) {
    const said = mode === 'full' ? ((userResponse as { userInput?: string } | null)?.userInput ?? '') : '';
    return said.length > SHOWN_ANSWER ? `${said.slice(0, SHOWN_ANSWER - 1)}…` : said || null;
  },
};
