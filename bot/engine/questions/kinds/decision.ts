import { type QuestionKind, unfit } from './kind.ts';
import { labelOf, namedOption, optionActions, optionsOf } from './options.ts';
import { promptUnder, sectionsOf } from './sections.ts';

/** A question answered by choosing one of several options. */
export const decision: QuestionKind = {
  id: 'decision',
  label: 'Decision',
  isForPrograms: true,
  check(row, { selectedOption }) {
    const known = optionsOf(row).some(({ id }) => id === selectedOption);
    if (!selectedOption || !known) throw unfit('selectedOption', 'Choose one of the options.');
    return { userResponse: { selectedOption }, outcome: 'answered' };
  },
  readWords(row, text) {
    const selectedOption = namedOption(row, text);
    return selectedOption === undefined ? null : { selectedOption };
  },
  view: (question, mode) => ({
    prompt: promptUnder(question, mode),
    sections: sectionsOf(question, mode),
    fields: [],
    actions: optionActions(question, mode, (selectedOption) => ({ answer: { selectedOption } })),
  }),
  answered: (question, mode) =>
    labelOf(question, mode, (question.userResponse as { selectedOption?: string } | null)?.selectedOption),
};
