import { openingOf } from '../../engine/intents/opening.ts';

/** The kinds of request that the professionaliser recognises in a text. */
export type Intent = 'control' | 'documents';

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|petra|@petra|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const NEGATED = /^\W*(?:don['’]?t|do not|never|not yet|later)\b/i;
const MAKES =
  /^(?:re-?)?(?:make|turn|bring|put|convert|professionali[sz]e|format|reformat|control|tidy(?: up)?|clean(?: up)?|structure|restructure|prepare|create|give me|i need|we need|proofread)\b/i;
/** The results that only this agent makes. */
const CONTROLLED =
  /\bcontrolled (?:document|form|copy|version|sop|procedure|policy)\b|\bdocument control\b|\bhouse style\b|\btracked changes\b|\bprofessionali[sz]e\b|\b(?:our|the|a) (?:document )?template\b|\bdocument template\b/i;
const DOCUMENT =
  /\b(?:documents?|procedure|policy|policies|manual|work instruction|draft|notes|text|memo|file|sop|plan|report|\S+\.(?:docx|md|txt))\b/i;
const LISTS = /\b(?:which|what|list|show)\b.*\b(?:documents?|drafts?)\b.*\b(?:controlled|made|written|done)\b/i;

const firstLine = (text: string): string => openingOf(text, POLITE);

/** The intent of a text; null where no rule fits. The text of a document never decides: only the first line does. */
export function readIntent(text: string): Intent | null {
  const line = firstLine(text);
  if (NEGATED.test(line)) return null;
  if (MAKES.test(line) && (CONTROLLED.test(line) || DOCUMENT.test(line))) return 'control';
  return LISTS.test(line) ? 'documents' : null;
}

/** Whether a message that names nobody asks for this agent's work. */
export function asksFor(text: string): boolean {
  const line = firstLine(text);
  return (
    readIntent(text) === 'control' &&
    (CONTROLLED.test(line) || /^(?:professionali[sz]e|reformat|proofread)\b/i.test(line))
  );
}
