import { calledInSentence, REMOTE_CHANNELS } from '../../models/contracts/channels.ts';

/** A number with thousands separators: 50,000. */
export function grouped(value: number): string {
  return value.toLocaleString('en-GB');
}

/** "1 row", "11 rows". */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

let zone: string | undefined;

/** Sets the zone of times: the account's if somebody is signed in, else the browser's. */
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

/** The time if it is today, else date and time. */
export function momentOf(iso: string, timeZone = zone): string {
  const today = dateOf(new Date().toISOString(), timeZone) === dateOf(iso, timeZone);
  return today ? timeOf(iso, timeZone) : `${dateOf(iso, timeZone)}, ${timeOf(iso, timeZone)}`;
}

/** Elapsed time: 42 s, 3 min 05 s. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Duration of a collaboration: 12.3 seconds, or 2 minutes 5 seconds; at least 0.1 seconds. */
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

/** The names of the remote channels, joined with "and" or "or". */
export const REMOTE_NAMES = {
  all: new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names),
  either: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names),
};
