import { z } from 'zod';
import { REMOTE_CHANNELS, type RemoteChannel } from './channels.ts';
import { endpoint } from './endpoint.ts';

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

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 18:30.');

export const preferences = z.object({
  firstName: z.string().trim().max(100).nullable(),
  lastName: z.string().trim().max(100).nullable(),
  companyName: z.string().trim().min(1, 'Please enter the company’s name.').max(200),
  timeZone: z.string().refine(isTimeZone, 'Choose a time zone, e.g. Europe/London.'),
  /** Per channel; a channel starts at reference-only. */
  channelConsent,
  /** No reminders between these times; null where there are no quiet hours. */
  quietHours: z.object({ from: clock, to: clock }).nullable(),
  /** The registered clinician of this account who signs; null while none is named. */
  clinicalSafetyOfficer: z
    .object({
      userId: z.number().int(),
      profession: z.string().trim().min(1, 'Please enter the profession.').max(100),
      register: z.string().trim().min(1, 'Please enter the register, e.g. GMC or NMC.').max(100),
      registrationNumber: z.string().trim().min(1, 'Please enter the registration number.').max(50),
    })
    .nullable(),
});
export type Preferences = z.infer<typeof preferences>;

/**
 * What may be given to change. Consents are given channel by channel, so that changing one does not undo what a
 * colleague has just withdrawn for another.
 */
const preferencesChange = preferences.partial().extend({ channelConsent: channelConsent.partial().optional() });
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
  body: preferencesChange,
  answer: preferences,
});
