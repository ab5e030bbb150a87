import { type DeviceFacts, factOf } from '../facts/facts.ts';
import type { Classification } from '../rules/classify.ts';
import type { DeviceClass } from '../rules/deviceClass.ts';

/** A calendar day as "2026-03-01": no time and no time zone. */
export type Day = string;

/**
 * The same day some years later. 29 February becomes 28 February in years without one, counted from the first day, so
 * that it is 29 February again in the next leap year.
 */
function addYears(day: Day, years: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const target = year + years;
  const lastOfMonth = new Date(Date.UTC(target, month, 0)).getUTCDate();
  return [
    String(target).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(Math.min(date, lastOfMonth)).padStart(2, '0'),
  ].join('-');
}

/** Today's day in a time zone. */
export const dayIn = (timeZone: string, at: Date): Day =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** A report that comes back. */
export type ReportDue = {
  market: 'European Union' | 'Great Britain';
  report: string;
  basis: string;
  /** Years between two reports; null where only "when necessary" is asked. */
  everyYears: number | null;
  /** The day that is counted from, and what it is; null where no date is known. */
  from: { day: Day; what: string } | null;
  /** The next day by which it is due, today included; null without a date or an interval. */
  next: Day | null;
  /** How many of these days have passed. */
  passed: number;
};

type Interval = { report: string; basis: string; everyYears: number | null };

const EU: Record<DeviceClass, Interval> = {
  I: { report: 'Post-market surveillance report', basis: 'Article 85: updated when necessary', everyYears: null },
  IIa: {
    report: 'Periodic safety update report',
    basis: 'Article 86: when necessary, at least every two years',
    everyYears: 2,
  },
  IIb: { report: 'Periodic safety update report', basis: 'Article 86: at least every year', everyYears: 1 },
  III: { report: 'Periodic safety update report', basis: 'Article 86: at least every year', everyYears: 1 },
};

const UK_TEXT = 'UK MDR 2002, Part 4A (SI 2024/1368)';
const UK: Record<DeviceClass, Interval> = {
  I: {
    report: 'Post-market surveillance report',
    basis: `${UK_TEXT}, 44ZL: at least every three years`,
    everyYears: 3,
  },
  IIa: { report: 'Periodic safety update report', basis: `${UK_TEXT}, 44ZM: at least every two years`, everyYears: 2 },
  IIb: { report: 'Periodic safety update report', basis: `${UK_TEXT}, 44ZM: at least every year`, everyYears: 1 },
  III: { report: 'Periodic safety update report', basis: `${UK_TEXT}, 44ZM: at least every year`, everyYears: 1 },
};

/** Part 4A of UK MDR 2002 is in force from this day on; earlier days count from it. */
const UK_IN_FORCE: Day = '2025-06-16';

/** Days as "2026-03-01" compare as text. */
const later = (one: Day, other: Day): Day => (one > other ? one : other);

/** The first day of the series that is not before today, and how many were before it. */
function nextOf(from: Day, everyYears: number, today: Day): { next: Day; passed: number } {
  let turn = 1;
  while (addYears(from, turn * everyYears) < today) turn += 1;
  return { next: addYears(from, turn * everyYears), passed: turn - 1 };
}

function dueFor(market: ReportDue['market'], interval: Interval, from: ReportDue['from'], today: Day): ReportDue {
  const known = from && interval.everyYears !== null ? nextOf(from.day, interval.everyYears, today) : null;
  return { market, ...interval, from, next: known?.next ?? null, passed: known?.passed ?? 0 };
}

/**
 * The reports of surveillance that come back, by class and market: from the certificate's date where there is one, else
 * from the first placing on the market. In Great Britain from the first placing, at the earliest from the day that the
 * rules are in force.
 */
export function reportsDue(facts: DeviceFacts, { eu, uk }: Classification, today: Day): ReportDue[] {
  const [certified, marketed] = [factOf(facts, 'certified'), factOf(facts, 'marketed')];
  const due: ReportDue[] = [];
  if (eu?.class && factOf(facts, 'market') !== 'uk') {
    const from = certified
      ? { day: certified, what: 'the certificate' }
      : marketed
        ? { day: marketed, what: 'the first placing on the market' }
        : null;
    due.push(dueFor('European Union', EU[eu.class], from, today));
  }
  if (uk?.class) {
    const began = marketed ?? certified;
    const day = began ? later(began, UK_IN_FORCE) : null;
    const what =
      began && day !== began
        ? 'the day from which the rules are in force (Arc’s reading, to check with your regulatory lead)'
        : marketed
          ? 'the first placing on the market'
          : 'the certificate';
    due.push(dueFor('Great Britain', UK[uk.class], day ? { day, what } : null, today));
  }
  return due;
}
