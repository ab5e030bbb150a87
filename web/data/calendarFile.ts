import type { Holiday } from '../../models/contracts/holidays.ts';

const DAY_MS = 86_400_000;
/** More days of one event than this are a mistake, or no days off. */
const MAX_DAYS_OF_EVENT = 31;
const MAX_NAME = 100;

/** "20271227" as epoch milliseconds; NaN for anything else. */
const timeOf = (text: string): number => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T00:00:00Z`);
};

const MEANT: Record<string, string> = { n: ' ', N: ' ' };
const unescaped = (text: string) => text.replace(/\\(.)/g, (_whole, after: string) => MEANT[after] ?? after);

/** The fields of one event by name, without parameters. Of several of one name the first counts: alarms come last. */
function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([A-Za-z-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/.exec(line) ?? [];
    if (name && value !== undefined && !fields.has(name.toUpperCase())) fields.set(name.toUpperCase(), value.trim());
  }
  return fields;
}

function daysOf(fields: Map<string, string>): Holiday[] {
  const from = timeOf(fields.get('DTSTART') ?? '');
  if (Number.isNaN(from)) return [];
  // The end is the first day after it; without one the event is a single day.
  const to = timeOf(fields.get('DTEND') ?? '');
  const count = Number.isNaN(to) || to <= from ? 1 : (to - from) / DAY_MS;
  if (count > MAX_DAYS_OF_EVENT || fields.get('STATUS')?.toUpperCase() === 'CANCELLED') return [];
  const name =
    unescaped(fields.get('SUMMARY') ?? '')
      .trim()
      .slice(0, MAX_NAME) || 'Day off';
  return Array.from({ length: count }, (_, at) => ({
    day: new Date(from + at * DAY_MS).toISOString().slice(0, 10),
    name,
  }));
}

/** The days of the all-day events of a calendar file (RFC 5545). Events with a time of day are no days off. */
export function readCalendarFile(text: string): Holiday[] {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n');
  const found: Holiday[] = [];
  let event: string[] | null = null;
  for (const line of lines) {
    if (/^BEGIN:VEVENT\s*$/i.test(line)) event = [];
    else if (/^END:VEVENT\s*$/i.test(line)) {
      if (event) found.push(...daysOf(fieldsOf(event)));
      event = null;
    } else event?.push(line);
  }
  return found;
}
