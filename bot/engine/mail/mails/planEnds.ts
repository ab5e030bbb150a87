import { baseUrl, env } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/** What an owner gets before a trial or a plan ends, and once it is over. */
export function planEnds({
  contact = env.LEGAL_CONTACT,
  ...it
}: {
  what: 'trial' | 'plan';
  isOver: boolean;
  day: string;
  company: string;
  contact?: string;
}): Mail {
  const ask = contact ? [`Whom to ask for a plan: ${contact}.`] : [];
  return {
    subject: it.isOver
      ? `The ${it.what} of ${it.company} is over`
      : `The ${it.what} of ${it.company} ends on ${it.day}`,
    parts: [
      it.isOver
        ? `It ended on ${it.day}. No new work starts, and schedules pause. What is there stays readable and can be downloaded, and questions that wait can be answered.`
        : 'After that no new work starts, and schedules pause. What is there stays readable and can be downloaded, and questions that wait can be answered.',
      ...ask,
      { link: `${baseUrl()}/#billing`, label: 'Open Billing' },
    ],
    because: `You get this because you are an owner of ${it.company}.`,
  };
}
