import { Types } from 'mongoose';
import { AccountExport, type AccountExportRow } from '../../../models/accountExport.ts';
import { ConnectorScope, type ConnectorScopeRow } from '../../../models/connectorScope.ts';
import type { Failure } from '../../../models/contracts/admin.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { CONSEQUENCES, type Consequence, Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { Entity } from '../../../models/store/entity.ts';
import type { Filter, WorkRow } from '../../../models/store/workKind.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { User } from '../../../models/user.ts';
import { exports } from '../accounts/companyExports.ts';
import { deliveries } from '../delivery/outbox.ts';
import { syncs } from '../documents/syncDocuments.ts';
import { consequences } from '../interrupts/applyConsequences.ts';
import { turns } from '../turns/turnWork.ts';

/** A failure as it is shown, without its company. */
type Shown = Omit<Failure, 'accountId' | 'companyName' | 'kind'>;

/** How administrators see and treat one kind of work that was given up. */
type DeadLetters<Row extends WorkRow> = {
  rows: Entity<Row>;
  /** The rows that were given up. */
  dead: Filter;
  /** The id as it is stored; null for one that can't be any. */
  idOf(shown: string): unknown;
  /** Without content. */
  show(row: Row): Shown;
  /** Its subject and outcome in the audit. */
  audit(row: Row): { subject: string; outcome: string };
  /** @returns false where it is no dead letter any more */
  retry(row: Row): Promise<boolean>;
  /** @returns false where it is no dead letter any more */
  drop(row: Row): Promise<boolean>;
};

const objectIdOf = (shown: string) => (Types.ObjectId.isValid(shown) ? new Types.ObjectId(shown) : null);

/** What every kind shows of its work. */
const shownOf = ({ _id, attempts, error }: WorkRow) => ({
  id: String(_id),
  attempts: attempts ?? 0,
  reason: error ?? 'unknown',
});

function nameDelivery({ mail, webhook, task, messageId, interruptId }: DeliveryRow): string {
  if (mail) return `Mail: ${mail.name}`;
  if (webhook) return `Webhook of question ${webhook.interruptId}`;
  if (task) return 'Task in a channel';
  return messageId ? 'Message' : `Question ${interruptId}`;
}

const ofDeliveries: DeadLetters<DeliveryRow> = {
  rows: Delivery,
  dead: { status: 'failed' },
  idOf: objectIdOf,
  show: (row) => ({
    ...shownOf(row),
    what: nameDelivery(row),
    where: row.surface,
    at: row._id.getTimestamp().toISOString(),
  }),
  audit: ({ _id, surface }) => ({ subject: `delivery:${_id}`, outcome: surface }),
  async retry({ _id, interruptId, mail, reference }) {
    const question = interruptId === null ? null : await Interrupt.findOne({ _id: interruptId }, { status: 1 }).lean();
    // A question that was answered meanwhile is redrawn with its outcome where it was shown, and sent nowhere else.
    const over = reference ? 'closing' : 'closed';
    // The mail server may accept the address again.
    if (mail) await User.updateOne({ _id: mail.userId }, { $set: { mailRefusedAt: null } });
    return deliveries.reopen({ _id }, { status: question && question.status !== 'pending' ? over : 'due' });
  },
  drop: ({ _id }) => deliveries.drop({ _id }),
};

const EFFECTS: Record<Consequence, string> = {
  audit: 'its entry in the audit',
  resume: 'continuing the work',
  deliveries: 'showing the outcome everywhere',
  webhook: 'the webhook of the program that asked',
};

const ofAnswers: DeadLetters<InterruptRow> = {
  rows: Interrupt,
  dead: { setAside: { $in: [...CONSEQUENCES] } },
  idOf: (shown) => (Number.isInteger(Number(shown)) ? Number(shown) : null),
  show: (row) => ({
    ...shownOf(row),
    what: `Answer to question ${row._id}: ${(row.setAside ?? []).map((one) => EFFECTS[one]).join(', ')}`,
    where: 'server',
    reason: row.error ?? 'Arc stopped on every attempt.',
    at: (row.resolvedAt ?? row.createdAt).toISOString(),
  }),
  audit: ({ _id, setAside = [] }) => ({ subject: `interrupt:${_id}`, outcome: setAside.join(' ') }),
  retry: ({ _id, setAside = [], outbox }) =>
    consequences.reopen({ _id, setAside, outbox }, { setAside: [], outbox: [...new Set([...outbox, ...setAside])] }),
  drop: ({ _id, setAside }) => consequences.drop({ _id, setAside }),
};

const ofTurns: DeadLetters<TurnRow> = {
  rows: Turn,
  dead: { status: 'failed' },
  idOf: objectIdOf,
  show: (row) => ({
    ...shownOf(row),
    what: 'Message to an agent',
    where: row.channel,
    at: row.createdAt.toISOString(),
  }),
  audit: ({ _id, channel }) => ({ subject: `turn:${_id}`, outcome: channel }),
  retry: ({ _id }) => turns.reopen({ _id }, { status: 'stored' }),
  drop: ({ _id }) => turns.drop({ _id }),
};

const ofReadings: DeadLetters<ConnectorScopeRow> = {
  rows: ConnectorScope,
  dead: { readingStatus: 'failed' },
  idOf: objectIdOf,
  show: (row) => ({
    ...shownOf(row),
    what: 'Reading the documents of a connected tool',
    where: row.connector,
    at: row.setAt.toISOString(),
  }),
  audit: ({ connector }) => ({ subject: `integration:${connector}`, outcome: 'reading' }),
  retry: ({ _id }) => syncs.reopen({ _id }, { readingStatus: null }),
  drop: ({ _id }) => syncs.drop({ _id }),
};

const ofExports: DeadLetters<AccountExportRow> = {
  rows: AccountExport,
  dead: { status: 'failed' },
  idOf: objectIdOf,
  show: (row) => ({
    ...shownOf(row),
    what: 'Export of everything that a company holds',
    where: 'server',
    at: row.createdAt.toISOString(),
  }),
  audit: ({ accountId }) => ({ subject: `account:${accountId}`, outcome: 'export' }),
  // Not where the company has asked for another one meanwhile.
  retry: async ({ _id }) =>
    (await AccountExport.exists({ status: 'preparing' })) === null && exports.reopen({ _id }, { status: 'preparing' }),
  drop: ({ _id }) => exports.drop({ _id }),
};

/** The same treatment for rows of any kind: each gets only the rows that it has found itself. */
const lettersOf = <Row extends WorkRow>(letters: DeadLetters<Row>) => letters as unknown as DeadLetters<WorkRow>;

/** Every kind of work that is given up after its attempts. */
export const DEAD_LETTERS: Record<Failure['kind'], DeadLetters<WorkRow>> = {
  delivery: lettersOf(ofDeliveries),
  answer: lettersOf(ofAnswers),
  reading: lettersOf(ofReadings),
  turn: lettersOf(ofTurns),
  export: lettersOf(ofExports),
};
