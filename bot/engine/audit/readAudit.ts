import { AuditEvent, type AuditEventRow } from '../../../models/auditEvent.ts';
import { AUDIT_KINDS, type AuditKind } from '../../../models/contracts/audit.ts';
import { Member } from '../../../models/member.ts';
import { displayName, User } from '../../../models/user.ts';
import { type NamedSubject, nameSubjects } from './subjectNames.ts';

type Wanted = {
  /** Upper bound (exclusive) of the sequence numbers. */
  before?: number | undefined;
  limit: number;
  kind?: AuditKind | undefined;
  userId?: number | undefined;
  /** Days as YYYY-MM-DD, both included. */
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
};

/** A row of the chain with the names of its person and subject, which the chain holds only as ids. */
export type NamedRow = AuditEventRow & { userName: string | null; subjectName: NamedSubject | null };

/** At most this many rows are read for one answer; a search without a hit continues with `next`. */
const MAX_READ = 20_000;
const DAY_MS = 86_400_000;

/**
 * A page of an account's audit chain, newest first.
 * @param timeZone the days are this zone's
 * @returns the rows that fit with their people's names, and the bound for what follows; null at the chain's beginning
 */
export async function readAudit(
  accountId: number,
  wanted: Wanted,
  timeZone: string,
): Promise<{ rows: NamedRow[]; next: number | null }> {
  const fits = makeFilter(wanted, timeZone, await peopleCalled(accountId, wanted.search ?? ''));
  const { before, limit, userId, from, to } = wanted;
  // A day of a zone begins up to a day before or after that of UTC; the filter decides exactly.
  const at = {
    ...(from ? { $gte: new Date(Date.parse(from) - DAY_MS) } : {}),
    ...(to ? { $lt: new Date(Date.parse(to) + 2 * DAY_MS) } : {}),
  };
  const cursor = AuditEvent.find({
    accountId,
    ...(before ? { seq: { $lt: before } } : {}),
    ...(userId === undefined ? {} : { userId }),
    ...(from || to ? { at } : {}),
  })
    .sort({ seq: -1 })
    .lean()
    .cursor();
  const rows: AuditEventRow[] = [];
  let [read, last] = [0, 1];
  for await (const row of cursor) {
    if (fits(row)) rows.push(row);
    read += 1;
    last = row.seq;
    if (rows.length >= limit || read >= MAX_READ) break;
  }
  const [names, subjects] = await Promise.all([
    readNames(rows),
    nameSubjects(
      accountId,
      rows.map(({ subject }) => subject),
    ),
  ]);
  const isMore = (rows.length >= limit || read >= MAX_READ) && last > 1;
  return {
    rows: rows.map((row) => ({
      ...row,
      userName: names.get(row.userId) ?? null,
      subjectName: subjects.get(row.subject) ?? null,
    })),
    next: isMore ? last : null,
  };
}

/** Ids of the people in a chain, or in its company, whose name or e-mail contains the words. */
async function peopleCalled(accountId: number, search: string): Promise<ReadonlySet<number>> {
  const words = search.trim().toLowerCase();
  if (words === '') return new Set();
  const [acted, belong] = await Promise.all([
    AuditEvent.distinct('userId', { accountId }),
    Member.distinct('userId', { accountId }),
  ]);
  const ids = [...acted, ...belong].filter((id) => id !== null);
  const users = await User.find({ _id: { $in: ids } }, { firstName: 1, lastName: 1, email: 1 }).lean();
  const called = users.filter((user) => `${displayName(user)} ${user.email}`.toLowerCase().includes(words));
  return new Set(called.map(({ _id }) => _id));
}

function makeFilter(
  { kind, from = '', to = '9999', search = '' }: Wanted,
  timeZone: string,
  people: ReadonlySet<number>,
) {
  // Canadian dates are written YYYY-MM-DD, so that they compare as text.
  const days = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const words = search.toLowerCase();
  const isOf = ({ userId, subject, outcome }: AuditEventRow): boolean =>
    (userId !== null && people.has(userId)) ||
    [...`${subject} ${outcome}`.matchAll(/\buser:(\d+)/g)].some(([, id]) => people.has(Number(id)));
  return (row: AuditEventRow): boolean => {
    const { event, subject, outcome, at } = row;
    if (kind && kindOfEvent(event) !== kind) return false;
    const isNamed = `${event} ${subject} ${outcome}`.toLowerCase().includes(words) || isOf(row);
    if (words && !isNamed) return false;
    if (from === '' && to === '9999') return true;
    const day = days.format(at);
    return from <= day && day <= to;
  };
}

function kindOfEvent(event: string): AuditKind {
  const [kind] = Object.entries(AUDIT_KINDS).find(([, starts]) => starts?.some((it) => event.startsWith(it))) ?? [];
  return (kind ?? 'work') as AuditKind;
}

async function readNames(rows: readonly AuditEventRow[]): Promise<Map<number | null, string>> {
  const ids = [...new Set(rows.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
  const users = await User.find({ _id: { $in: ids } }, { firstName: 1, lastName: 1, email: 1 }).lean();
  return new Map(users.map((user) => [user._id, displayName(user)]));
}
