import type { AnswerBody } from '../../../../models/contracts/interrupts.ts';
import { ANSWER, SEND } from './input.ts';
import { type QuestionKind, unfit } from './kind.ts';
import { labelOf, namedOption, optionActions, optionsOf, readChoice } from './options.ts';
import { promptUnder, sectionsOf } from './sections.ts';

type Given = { choice?: string; text?: string };

/** The option and the text of an answer of any shape. */
function givenIn({ selectedOption, userInput, userResponse }: AnswerBody): Given {
  const given = readChoice(userResponse);
  const choice = selectedOption ?? given.choice;
  const text = userInput?.trim() ?? given.text;
  return { ...(choice === undefined ? {} : { choice }), ...(text ? { text } : {}) };
}

/**
 * Fallback for kinds that this version does not know, e.g. of a removed agent: choose an option, or type a text where
 * there are none.
 */
export const unknown: QuestionKind = {
  id: 'unknown',
  label: 'Question',
  isForPrograms: true,
  check(row, answer) {
    const given = givenIn(answer);
    const options = optionsOf(row);
    if (options.length === 0 && !given.text) throw unfit('userInput', 'Please write an answer.');
    if (options.length > 0 && !options.some(({ id }) => id === given.choice))
      throw unfit('selectedOption', 'Choose one of the options.');
    return { userResponse: given, outcome: 'answered' };
  },
  readWords(row, text) {
    const selectedOption = namedOption(row, text);
    return selectedOption === undefined ? null : { selectedOption };
  },
  readMessage: (row, text) =>
    row.options.length === 0 && text.length <= ANSWER.maxLength ? { userInput: text } : null,
  view(question, mode) {
    const chooses = question.options.length > 0;
    return {
      prompt: promptUnder(question, mode),
      sections: sectionsOf(question, mode),
      fields: chooses ? [] : [ANSWER],
      actions: chooses ? optionActions(question, mode, (selectedOption) => ({ answer: { selectedOption } })) : [SEND],
    };
  },
  answered: (question, mode) => labelOf(question, mode, (question.userResponse as Given | null)?.choice),
};
