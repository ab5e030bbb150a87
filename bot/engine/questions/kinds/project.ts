import { type QuestionKind, unfit } from './kind.ts';
import { labelOf, optionActions, optionsOf, readChoice } from './options.ts';
import { promptUnder, sectionsOf } from './sections.ts';

/** The option that requires a text. */
const EDIT = 'edit';

/** Declares a choice between options about a project; `edit` also asks what should change. */
const aboutProject = (id: string, label: string): QuestionKind => ({
  id,
  label,
  check(row, { userResponse }) {
    const { choice, text } = readChoice(userResponse);
    const known = optionsOf(row).some((option) => option.id === choice);
    if (!choice || !known) throw unfit('userResponse', 'Choose one of the options.');
    if (choice === EDIT && !text) throw unfit('userResponse', 'Say what should change.');
    return { userResponse: { choice, ...(text ? { text } : {}) }, outcome: 'answered' };
  },
  view: (question, mode) => ({
    prompt: promptUnder(question, mode),
    sections: sectionsOf(question, mode),
    fields: [
      { name: 'change', label: 'What should change', required: true, maxLength: 8000, answers: 'userResponse.text' },
    ],
    actions: optionActions(question, mode, (choice) => ({
      answer: { userResponse: { choice } },
      fields: choice === EDIT ? ['change'] : [],
    })),
  }),
  answered: (question, mode) => labelOf(question, mode, (question.userResponse as { choice?: string } | null)?.choice),
});

export const projectPreview = aboutProject('project_preview', 'Project preview');
export const projectCreated = aboutProject('REPLIT_PROJECT_CREATED', 'Project created');
