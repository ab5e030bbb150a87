import { z } from 'zod';
import { REMOTE_CHANNELS, type RemoteChannel } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { holiday, MAX_HOLIDAYS } from './holidays.ts';
import { shownName, toOneLine } from './oneLine.ts';

/** From the strictest to the most permissive. */
export const CONSENT_MODES = ['reference-only', 'redacted', 'full'] as const;
/** How much content of a company's documents and tickets may be sent to a channel's servers (decision 013). */
export const consentMode = z.enum(CONSENT_MODES);
export type ConsentMode = z.infer<typeof consentMode>;

/** The consent mode for each remote channel. */
const channelConsent = z.object(
  Object.fromEntries(REMOTE_CHANNELS.map((name) => [name, consentMode])) as Record<RemoteChannel, typeof consentMode>,
);
/** The consent of a new account: the strictest mode everywhere. */
export const leastConsent = () =>
  Object.fromEntries(REMOTE_CHANNELS.map((name) => [name, CONSENT_MODES[0]])) as z.infer<typeof channelConsent>;

/** When a person gets mails about open questions. */
const QUESTION_MAILS = ['at-once', 'hourly', 'daily', 'never'] as const;
export type QuestionMail = (typeof QUESTION_MAILS)[number];
/** The default is hourly, because the inbox, the chat and the channels show each question at once. */
export const USUAL_QUESTION_MAIL: QuestionMail = 'hourly';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 18:30.');

/** Days of the week when people work, 1 for Monday to 7 for Sunday, and from when to when. */
const workingHours = z
  .object({
    days: z.array(z.number().int().min(1).max(7)).min(1, 'Choose at least one day.'),
    from: clock,
    to: clock,
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'Choose an end that is later than the start.' });
export type WorkingHours = z.infer<typeof workingHours>;
export const USUAL_WORKING_HOURS: WorkingHours = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' };

export const preferences = z.object({
  firstName: z.string().transform(toOneLine).pipe(z.string().max(100)).nullable(),
  lastName: z.string().transform(toOneLine).pipe(z.string().max(100)).nullable(),
  /** Mails to this person about this company's questions. */
  questionMail: z.enum(QUESTION_MAILS),
  /** Whether the mail server refused the person's address. Until they choose again, only codes and invitations are sent. */
  mailRefused: z.boolean(),
  companyName: shownName(200, 'Please enter the company’s name.'),
  timeZone: z.string().refine(isTimeZone, 'Choose a time zone, e.g. Europe/London.'),
  /** Per channel; a channel starts at reference-only. */
  channelConsent,
  /** Question mails and reminders wait until the end of these hours; null without quiet hours. */
  quietHours: z
    .object({ from: clock, to: clock })
    .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Choose an end that differs from the start.' })
    .nullable(),
  /** Hours that count towards reminders and escalation. */
  workingHours,
  /** Days off, by date; those of more than a year ago are dropped when the list is saved. */
  holidays: z.array(holiday).max(MAX_HOLIDAYS, `Keep at most ${MAX_HOLIDAYS} days off.`),
  /** The registered clinician of this account who signs; null while none is named. */
  clinicalSafetyOfficer: z
    .object({
      userId: z.number().int(),
      profession: shownName(100, 'Please enter the profession.'),
      register: shownName(100, 'Please enter the register, e.g. GMC or NMC.'),
      registrationNumber: shownName(50, 'Please enter the registration number.'),
    })
    .nullable(),
  /** Whether answers that need the officer are signed with the password of whoever answers. */
  signsAnswers: z.boolean(),
  /** Whether two different people sign each of them; counts only where answers are signed. */
  signsTwice: z.boolean(),
  /** How many people may sign what needs the officer. */
  signers: z.number().int(),
});
export type Preferences = z.infer<typeof preferences>;

/**
 * What may be given to change. Consents are given channel by channel, so that changing one does not undo what a
 * colleague has just withdrawn for another.
 */
const preferencesChange = preferences
  .omit({ mailRefused: true, signers: true })
  .partial()
  .extend({ channelConsent: channelConsent.partial().optional() });
export type PreferencesChange = z.infer<typeof preferencesChange>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

export const getPreferences = endpoint({
  method: 'get',
  path: '/api/preferences',
  summary: 'The person’s and the company’s preferences',
  policy: 'signed-in',
  answer: preferences,
});

export const putPreferences = endpoint({
  method: 'put',
  path: '/api/preferences',
  summary: 'Change preferences; what is left out stays. The company’s part needs the owner',
  policy: 'signed-in',
  body: preferencesChange.extend({ /** Goes on after the warning `few_signers`. */ confirm: z.boolean().optional() }),
  answer: preferences,
});
