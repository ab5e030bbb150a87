import { randomUUID } from 'node:crypto';
import { auditTrail } from '../../../models/auditEvent.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';

/** Audit events about people and settings; answers have `interrupt.answered`. */
export type RecordedEvent =
  | 'account.created'
  | 'account.export-asked'
  | 'account.exported'
  | 'account.erasure-begun'
  | 'account.erased'
  | 'person.erased'
  | 'session.begun'
  | 'session.ended'
  | 'password.changed'
  | 'member.invited'
  | 'invitation.withdrawn'
  | 'member.joined'
  | 'member.removed'
  | 'member.left'
  | 'agent.hired'
  | 'agent.tools-changed'
  | 'agent.let-go'
  | 'integration.switched'
  | 'integration.scope-changed'
  | 'roles.changed'
  | 'token.made'
  | 'token.revoked'
  | 'link.made'
  | 'link.revoked'
  | 'link.opened'
  | 'consent.changed'
  | 'officer.appointed'
  | 'signing.changed'
  | 'second-signature.changed'
  | 'budget.changed'
  | 'keys.changed'
  | 'credits.granted'
  | 'plan.checkout'
  | 'plan.paid'
  | 'administrator.granted'
  | 'administrator.revoked'
  | 'analysis.started'
  | 'reading.changed'
  | 'match.changed'
  | 'finding.assigned'
  | 'finding.accepted'
  | 'finding.reopened'
  | 'finding.commented'
  | 'tool.allowed'
  | 'tool-server.added'
  | 'tool-server.changed'
  | 'tool-server.removed'
  | 'server-tool.switched'
  | 'failure.retried'
  | 'failure.dropped'
  | 'schedule.paused'
  | 'interrupt.reminded'
  | 'interrupt.escalated'
  | 'interrupt.assigned'
  | 'interrupt.snoozed'
  | 'interrupt.commented'
  | 'interrupt.signature-withdrawn'
  | 'release.made'
  | 'file.exported';

type Recorded = {
  /** Id of the acting user; null for server commands, schedules, payments and people who open a link. */
  userId: number | null;
  /** Where it happened; set for links, schedules, payments, the server itself and the surfaces of channels. */
  surface?: 'link' | 'schedule' | 'payment' | 'server' | Surface;
  /** Kind and id, e.g. `user:7`. Never a name or an e-mail: the chain outlives the person. */
  subject: string;
  outcome: string;
  /** Digest of the exported or shown content. */
  shownDigest?: string | null;
  /** Idempotency key; without it each call appends a row. */
  key?: string;
  /** When it happened; now where absent. */
  at?: Date;
};

/**
 * Appends an event to the account's audit chain. Call it before the recorded change: if the process ends in between,
 * there is a row without a change, never a change without a row.
 */
export async function recordEvent(accountId: number, event: RecordedEvent, it: Recorded): Promise<void> {
  await runInAccount(accountId, () =>
    auditTrail.append(accountId, {
      key: `${event}:${it.key ?? randomUUID()}`,
      event,
      userId: it.userId,
      surface: it.surface ?? (it.userId === null ? 'command' : 'api'),
      subject: it.subject,
      shownDigest: it.shownDigest ?? null,
      outcome: it.outcome,
      ...(it.at ? { at: it.at } : {}),
    }),
  );
}

/** Records an event about a person in every account that they belong to. */
export async function recordForPerson(userId: number, event: RecordedEvent, it: Omit<Recorded, 'subject'>) {
  for (const { accountId } of await Member.find({ userId }, { accountId: 1 }).lean())
    await recordEvent(accountId, event, { ...it, subject: `user:${userId}` });
}
