import type { Mail } from '../mail.ts';
import { lineOfQuestion, type WaitingQuestion } from './questionWaits.ts';

/** The mail lists at most this many questions; the inbox has the rest. */
const MAX_LISTED = 20;

/** Lists the questions of one company that wait for the reader, oldest first. */
export function questionDigest(it: {
  questions: readonly WaitingQuestion[];
  company: string;
  link: string;
  unsubscribe: string;
}): Mail {
  const { length } = it.questions;
  const more = length > MAX_LISTED ? [`And ${length - MAX_LISTED} more.`] : [];
  return {
    subject: `${length} ${length === 1 ? 'question waits' : 'questions wait'} for you in ${it.company}`,
    parts: [
      { list: it.questions.slice(0, MAX_LISTED).map(lineOfQuestion) },
      ...more,
      { link: it.link, label: 'Open the inbox' },
    ],
    because: `You get this because you can answer questions of ${it.company}. Choose how often under Preferences.`,
    unsubscribe: it.unsubscribe,
  };
}
