import type { Types } from 'mongoose';
import type { Surface } from './contracts/surface.ts';
import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';
import { WORK_FIELDS, type WorkRow } from './store/workKind.ts';

/**
 * An outbox row: one question on one surface, one message on a remote channel, one task that a channel performs, the
 * webhook of one answer, or one mail to one member. A first attempt that fails is retried by a job. Questions are redrawn when they are answered anywhere.
 */
export type DeliveryRow = WorkRow & {
  _id: Types.ObjectId;
  dueAt: Date;
  attempts: number;
  /** The question to show; null for messages and tasks. */
  interruptId: number | null;
  /** The message to send; null for questions and tasks. */
  messageId: Types.ObjectId | null;
  /** A task for the channel, e.g. uploading a file, with its sealed input; null for questions and messages. */
  task?: { conversationId: Types.ObjectId; sealed: Sealed } | null;
  /** A program's webhook that gets the answer of a question; null or absent for all others. */
  webhook?: { interruptId: number; tokenId: Types.ObjectId } | null;
  /** A mail to a member: which one, and what it is written from, without names and content; null or absent for others. */
  mail?: { userId: number; name: string; facts: Record<string, unknown> } | null;
  /** Conversation whose order this delivery keeps. `null`: unordered (boards, tasks, our own pages). */
  conversationId: Types.ObjectId | null;
  surface: Surface;
  /** Idempotency key: subject and surface, unique per account. */
  key: string;
  /**
   * due: to be sent; sent: shows the question; closing: the outcome is to be shown; closed: shows the outcome; failed:
   * given up; dropped: given up, and an administrator has seen to it.
   */
  status: 'due' | 'sent' | 'closing' | 'closed' | 'failed' | 'dropped';
  /**
   * The platform's ids of what was sent, e.g. channel and ts; saved after each part, so that a retry continues from
   * there.
   */
  reference: Record<string, unknown> | null;
  /** True once the text is sent and only files are left: later deliveries need not wait for it. */
  said?: boolean;
};

export const Delivery = entity<DeliveryRow>({
  name: 'Delivery',
  collection: 'deliveries',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    interruptId: { type: Number, default: null },
    messageId: { type: 'ObjectId', default: null },
    task: { type: Object, default: null },
    webhook: { type: Object, default: null },
    mail: { type: Object, default: null },
    conversationId: { type: 'ObjectId', default: null },
    surface: String,
    key: String,
    status: String,
    reference: { type: Object, default: null },
    said: { type: Boolean, default: false },
    ...WORK_FIELDS,
  },
  indexes: [
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ status: 1, dueAt: 1 }],
    [{ accountId: 1, interruptId: 1 }],
    [{ 'webhook.tokenId': 1, status: 1 }, { partialFilterExpression: { 'webhook.tokenId': { $exists: true } } }],
    [{ accountId: 1, conversationId: 1, status: 1 }],
  ],
});
