import { baseUrl, env } from '../../../../models/env.ts';
import type { Mail } from '../mail.ts';

/** Tells an owner that a trial or plan ends soon, or has ended. `day` is a date for people: "7 Jan 2027". */
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
  const ask = contact ? [`To get a plan, contact ${contact}.`] : [];
  return {
    subject: it.isOver
      ? `The ${it.what} of ${it.company} has ended`
      : `The ${it.what} of ${it.company} ends on ${it.day}`,
    parts: [
      it.isOver
        ? `It ended on ${it.day}. No new work starts, and schedules pause. You can still read and download everything, and answer open questions.`
        : 'After that no new work starts, and schedules pause. You can still read and download everything, and answer open questions.',
      ...ask,
      { link: `${baseUrl()}/#billing`, label: 'Open Billing' },
    ],
    because: `You get this because you are an owner of ${it.company}.`,
  };
}
