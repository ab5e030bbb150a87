import { randomUUID } from 'node:crypto';
import { auditTrail } from '../../../models/auditEvent.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';

/** What is recorded of people and settings, beside the decisions. */
type RecordedEvent =
  | 'account.created'
  | 'session.begun'
  | 'session.ended'
  | 'password.changed'
  | 'member.invited'
  | 'invitation.withdrawn'
  | 'member.joined'
  | 'member.removed'
  | 'roles.changed'
  | 'consent.changed'
  | 'officer.appointed'
  | 'credits.granted'
  | 'administrator.granted'
  | 'administrator.revoked'
  | 'file.exported';

type Recorded = {
  /** Who does it; null for a command at the machine. */
  userId: number | null;
  /** An id with its kind, e.g. `user:7`. Never a name or an address: the chain outlives the person. */
  subject: string;
  outcome: string;
  /** Digest of what was exported or shown. */
  shownDigest?: string | null;
  /** Makes it one row however often it is tried; without it each call is a row. */
  key?: string;
};

/**
 * Appends an event to the account's audit chain. Call it before what it records is done: a process that ends in between
 * leaves a record too many, never a change without one.
 */
export async function recordEvent(accountId: number, event: RecordedEvent, it: Recorded): Promise<void> {
  await runInAccount(accountId, () =>
    auditTrail.append(accountId, {
      key: `${event}:${it.key ?? randomUUID()}`,
      event,
      userId: it.userId,
      surface: it.userId === null ? 'command' : 'api',
      subject: it.subject,
      shownDigest: it.shownDigest ?? null,
      outcome: it.outcome,
    }),
  );
}

/** Records what concerns a person rather than a company in every account that they belong to. */
export async function recordForPerson(userId: number, event: RecordedEvent, it: Omit<Recorded, 'subject'>) {
  for (const { accountId } of await Member.find({ userId }, { accountId: 1 }).lean())
    await recordEvent(accountId, event, { ...it, subject: `user:${userId}` });
}
