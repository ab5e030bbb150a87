import type { Types } from 'mongoose';
import type { Surface } from './contracts/interrupts.ts';
import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';

/**
 * One question on one surface, one message on a remote channel, or what a channel has to do of its own: an outbox row,
 * sent by a job where the first try fails. A question is redrawn when it is answered anywhere.
 */
export type DeliveryRow = {
  _id: Types.ObjectId;
  accountId: number;
  /** A question; null for anything else. */
  interruptId: number | null;
  /** A message; null for anything else. */
  messageId: Types.ObjectId | null;
  /** What the channel has to do for a conversation, as it understands it; null for anything else. */
  task?: { conversationId: Types.ObjectId; sealed: Sealed } | null;
  /** Where it is said, and so what it must not overtake; null for what need not wait: boards, and a channel's own doings. */
  conversationId: Types.ObjectId | null;
  surface: Surface;
  /** Subject and surface: delivered once. */
  key: string;
  /** due: to be sent; sent: shows the question; closed: shows the outcome. */
  status: 'due' | 'sent' | 'closing' | 'closed' | 'failed';
  /** How the platform names what was sent, e.g. channel and ts; kept after each part, so that a second try goes on from there. */
  reference: Record<string, unknown> | null;
  /** The words are out and only files are left: nothing need wait for it. */
  said?: boolean;
  attempts: number;
  /** How often the sweeper has begun with it and not come to an end: each time the process died. */
  begun?: number;
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
    task: { type: Object, default: null },
    conversationId: { type: 'ObjectId', default: null },
    surface: String,
    key: String,
    status: String,
    reference: { type: Object, default: null },
    said: { type: Boolean, default: false },
    attempts: { type: Number, default: 0 },
    begun: { type: Number, default: 0 },
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
