import type { Mail } from '../mail.ts';

/**
 * Why a question is mailed: it is new, it still waits, the people who were asked first did not answer, somebody has
 * signed an answer and a second person has to, or it was assigned to the reader.
 */
export type Occasion = 'asked' | 'reminded' | 'escalated' | 'signed-once' | 'assigned';

/** What a mail says about a question. Its content is never mailed. */
export type WaitingQuestion = {
  id: number;
  /** Who asks: the name of an agent, or "n8n (a program)". */
  asker: string;
  /** Kind of question: "Approval". */
  label: string;
  /** Since when, in the company's zone: "26 Nov, 14:02". */
  since: string;
};

/** "n8n (a program): Approval (question 34), since 26 Nov, 14:02". */
export const lineOfQuestion = ({ id, asker, label, since }: WaitingQuestion): string =>
  `${asker}: ${label} (question ${id}), since ${since}`;

const SUBJECTS: Record<Occasion, (asker: string) => string> = {
  asked: (asker) => `${asker} has a question for you`,
  reminded: (asker) => `${asker} still waits for an answer`,
  escalated: (asker) => `${asker} still waits, and nobody has answered`,
  assigned: (asker) => `A question of ${asker} is assigned to you`,
  'signed-once': (asker) => `An answer to ${asker} needs a second signature`,
};

const INTRODUCTIONS: Record<Occasion, string> = {
  asked: 'The work continues after the answer.',
  reminded: 'It has waited for several working hours. The work continues after the answer.',
  escalated: 'The people who were asked first have not answered in time, so Arc asks you too.',
  assigned: 'Somebody of your company asks you to answer it.',
  'signed-once':
    'One person has signed an answer. It counts once a second person has read the question and signs the same answer.',
};

/** Tells the reader about one question that waits. */
export const questionWaits = (it: {
  question: WaitingQuestion;
  occasion: Occasion;
  company: string;
  link: string;
  unsubscribe: string;
}): Mail => ({
  subject: SUBJECTS[it.occasion](it.question.asker),
  parts: [lineOfQuestion(it.question), INTRODUCTIONS[it.occasion], { link: it.link, label: 'Open the question' }],
  because: `You get this because you can answer questions of ${it.company}. Choose how often under Preferences.`,
  unsubscribe: it.unsubscribe,
});
