/** The language and the parts of each form. Swedish writes dates as ISO 8601 does. */
const FORMS = {
  day: ['en-GB', { day: 'numeric', month: 'short', year: 'numeric' }],
  moment: ['en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }],
  clock: ['en-GB', { hour: '2-digit', minute: '2-digit' }],
  stamp: ['sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' }],
} as const satisfies Record<string, readonly [language: string, parts: Intl.DateTimeFormatOptions]>;

/** Formatters by form and time zone, cached because creating one is slow. */
const known = new Map<string, Intl.DateTimeFormat>();

function formatter(form: keyof typeof FORMS, timeZone: string): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  const [language, parts] = FORMS[form];
  const made = known.get(key) ?? new Intl.DateTimeFormat(language, { ...parts, timeZone });
  known.set(key, made);
  return made;
}

/** "2026-06-05 09:00" in a time zone. */
export const stampText = (at: Date | string, timeZone: string): string =>
  formatter('stamp', timeZone).format(new Date(at));

/** "5 Jun 2026" in a time zone. */
export const dayText = (at: Date | string, timeZone: string): string => formatter('day', timeZone).format(new Date(at));

/** "Mon 4 May, 09:00" in a time zone. */
export const momentText = (at: Date, timeZone: string): string => formatter('moment', timeZone).format(at);

/** "09:00" in a time zone. */
export const clockText = (at: Date, timeZone: string): string => formatter('clock', timeZone).format(at);
