import type { Mail } from '../mail.ts';
import { lineOfQuestion, type WaitingQuestion } from './questionWaits.ts';

/** So many questions are listed; the inbox has the rest. */
const LISTED = 20;

/** Everything that waits for the reader in one company, oldest first. */
export function questionDigest(it: {
  questions: readonly WaitingQuestion[];
  company: string;
  link: string;
  unsubscribe: string;
}): Mail {
  const { length } = it.questions;
  const more = length > LISTED ? [`And ${length - LISTED} more.`] : [];
  return {
    subject: `${length} ${length === 1 ? 'question waits' : 'questions wait'} for you in ${it.company}`,
    parts: [
      { list: it.questions.slice(0, LISTED).map(lineOfQuestion) },
      ...more,
      { link: it.link, label: 'Open the inbox' },
    ],
    because: `You get this because you may answer questions of ${it.company}. Preferences say when.`,
    unsubscribe: it.unsubscribe,
  };
}
