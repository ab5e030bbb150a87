const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** "3 May 2026". */
export const dayText = (at: string | Date): string => DAY.format(new Date(at));
