import { calledInSentence, REMOTE_CHANNELS } from '../../models/contracts/channels.ts';

/** A number with local grouping: 50,000. */
export function grouped(value: number): string {
  return value.toLocaleString('en-GB');
}

/** "1 row", "11 rows". */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

let zone: string | undefined;

/** From now on times are those of a zone: the account's, once somebody is signed in; else the browser's. */
export function showTimesIn(timeZone: string | undefined): void {
  zone = timeZone;
}

/** A date as 5 Jun 2025, in the account's zone. */
export function dateOf(iso: string, timeZone = zone): string {
  return new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone });
}

/** A time as 14:02, in the account's zone. */
export function timeOf(iso: string, timeZone = zone): string {
  return new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
}

/** Today's time, else date and time. */
export function momentOf(iso: string, timeZone = zone): string {
  const today = dateOf(new Date().toISOString(), timeZone) === dateOf(iso, timeZone);
  return today ? timeOf(iso, timeZone) : `${dateOf(iso, timeZone)}, ${timeOf(iso, timeZone)}`;
}

/** How long something has taken: 42 s, 3 min 05 s. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** How long a collaboration took: 12.3 seconds, from a minute on 2 minutes 5 seconds; never nothing at all. */
export function totalTime(milliseconds: number): string {
  const tenths = Math.max(1, Math.round(milliseconds / 100));
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} seconds`;
  const seconds = Math.round(tenths / 10);
  return `${count(Math.floor(seconds / 60), 'minute')} ${count(seconds % 60, 'second')}`;
}

/** Size of a file: 840 B, 12 kB, 3.4 MB. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const names = REMOTE_CHANNELS.map(calledInSentence);

/** The channels of other companies, as a sentence lists them. */
export const REMOTE_NAMES = {
  all: new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names),
  either: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names),
};
