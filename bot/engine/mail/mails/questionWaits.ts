import type { Mail } from '../mail.ts';

/** Why a question is mailed: it was just asked, it still waits, or whom it was asked first did not answer. */
export type Occasion = 'asked' | 'reminded' | 'escalated';

/** A question without its content, which is not mailed: what the line of a list says. */
export type WaitingQuestion = {
  id: number;
  /** Who asks: the name of an agent, or "n8n (a program)". */
  asker: string;
  /** What is asked for: "Approval". */
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
  escalated: (asker) => `${asker} waits for an answer, and nobody has given it`,
};

const INTRODUCTIONS: Record<Occasion, string> = {
  asked: 'The work goes on once it is answered.',
  reminded: 'It has waited for some working time. The work goes on once it is answered.',
  escalated: 'Those who were asked first have not answered in time, so it is brought to you, too.',
};

/** One question that waits for the reader. */
export const questionWaits = (it: {
  question: WaitingQuestion;
  occasion: Occasion;
  company: string;
  link: string;
  unsubscribe: string;
}): Mail => ({
  subject: SUBJECTS[it.occasion](it.question.asker),
  parts: [lineOfQuestion(it.question), INTRODUCTIONS[it.occasion], { link: it.link, label: 'Open the question' }],
  because: `You get this because you may answer questions of ${it.company}. Preferences say when.`,
  unsubscribe: it.unsubscribe,
});
