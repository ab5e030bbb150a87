const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function isoDay(year: number, month: number, day: number): string | null {
  const full = year < 100 ? 2000 + year : year;
  if (full < 1990 || full > 2100 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  return `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Reads the first date in a text as an ISO day. Accepts ISO, day first as in Britain, and months as words. */
export function readDay(text: string): string | null {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text);
  if (iso) return isoDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numbers = /\b(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})\b/.exec(text);
  if (numbers) return isoDay(Number(numbers[3]), Number(numbers[2]), Number(numbers[1]));
  const words =
    /\b(?:(\d{1,2})(?:st|nd|rd|th)?[\s-]+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s,-]+(\d{4}|\d{2})\b/i.exec(
      text,
    );
  if (!words) return null;
  const [, day = '1', month = '', year] = words;
  return isoDay(Number(year), MONTHS.indexOf(month.toLowerCase()) + 1, Number(day));
}

const partsOf = (day: string) => day.split('-').map(Number) as [year: number, month: number, day: number];

/** Whole months from one ISO day to another. */
export function monthsBetween(from: string, to: string): number {
  const [fromYear, fromMonth, fromDay] = partsOf(from);
  const [toYear, toMonth, toDay] = partsOf(to);
  return (toYear - fromYear) * 12 + (toMonth - fromMonth) - (toDay < fromDay ? 1 : 0);
}
