import { type QuestionKind, unfit } from './kind.ts';
import { labelOf, namedOption, optionActions, optionsOf, readChoice } from './options.ts';
import { promptUnder, sectionsOf } from './sections.ts';
import { readYesOrNo } from './words.ts';

/** The option that requires a text. */
const EDIT = 'edit';

/** The option that a yes chooses. */
const APPROVE = 'approve';
/** A wish in words: "change it: a larger title". */
const WISH = /^(?:change|edit)(?: (?:it|this))?\s*[:,–-]\s*(?<wish>\S.*)$/is;

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
  readWords(row, text) {
    const isOption = (id: string) => optionsOf(row).some((option) => option.id === id);
    const wish = WISH.exec(text.trim())?.groups?.wish;
    if (wish && isOption(EDIT)) return { userResponse: { choice: EDIT, text: wish } };
    const said = readYesOrNo(text)?.approved === true && isOption(APPROVE) ? APPROVE : namedOption(row, text);
    return said === undefined || said === EDIT ? null : { userResponse: { choice: said } };
  },
  wordsThatAnswer: 'Say one of the options in its own words, or “change it: …” with what should change.',
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
