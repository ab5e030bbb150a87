import type { Types } from 'mongoose';
import type { Surface } from './contracts/interrupts.ts';
import { entity } from './store/entity.ts';

/**
 * One question on one surface, or one message on a remote channel: an outbox row, sent by a job where the first try
 * fails. A question is redrawn when it is answered anywhere.
 */
export type DeliveryRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** A question; null for a message. */
  interruptId: number | null;
  /** A message; null for a question. */
  messageId: Types.ObjectId | null;
  /** Where it is said, and so what it must not overtake; null on boards, which show everything at once. */
  conversationId: Types.ObjectId | null;
  surface: Surface;
  /** Interrupt and surface and address: delivered once. */
  key: string;
  /** due: to be sent; sent: shows the question; closed: shows the outcome. */
  status: 'due' | 'sent' | 'closing' | 'closed' | 'failed';
  /** How the platform names what was sent, e.g. channel and ts; kept after each part, so that a second try goes on from there. */
  reference: Record<string, unknown> | null;
  /** The words are out and only files are left: nothing need wait for it. */
  said?: boolean;
  attempts: number;
  dueAt: Date;
  error: string | null;
};

export const Delivery = entity<DeliveryRow>({
  name: 'Delivery',
  collection: 'deliveries',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    interruptId: { type: Number, default: null },
    messageId: { type: 'ObjectId', default: null },
    conversationId: { type: 'ObjectId', default: null },
    surface: String,
    key: String,
    status: String,
    reference: { type: Object, default: null },
    said: { type: Boolean, default: false },
    attempts: { type: Number, default: 0 },
    dueAt: { type: Date, default: Date.now },
    error: { type: String, default: null },
  },
  indexes: [
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ status: 1, dueAt: 1 }],
    [{ accountId: 1, interruptId: 1 }],
    [{ accountId: 1, conversationId: 1, status: 1 }],
  ],
});
