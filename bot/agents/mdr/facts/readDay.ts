const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const pad = (number: number) => String(number).padStart(2, '0');

/** A day as it stands in a calendar, as "2026-03-01"; null where there is no such day. */
function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1900 ? `${year}-${pad(month)}-${pad(day)}` : null;
}

/** The day in a text: "2026-03-01" or "1 March 2026". Null for other forms, because people read them differently. */
export function readDay(text: string): string | null {
  const [, year, month, day] = /\b(\d{4})-(\d\d)-(\d\d)\b/.exec(text) ?? [];
  if (year && month && day) return dayOf(Number(year), Number(month), Number(day));
  const [, date, name, of] = /\b(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})\b/i.exec(text) ?? [];
  const at = MONTHS.indexOf(name?.toLowerCase() ?? '');
  return date && of && at >= 0 ? dayOf(Number(of), at + 1, Number(date)) : null;
}
