import type { Types } from 'mongoose';
import type { Surface } from './contracts/interrupts.ts';
import { entity } from './store/entity.ts';

/** One question on one surface: an outbox row, sent by a job, redrawn when the question is answered anywhere. */
export type DeliveryRow = {
  _id: Types.ObjectId;
  accountId: number;
  interruptId: number;
  surface: Surface;
  /** Interrupt and surface and address: delivered once. */
  key: string;
  /** due: to be sent; sent: shows the question; closed: shows the outcome. */
  status: 'due' | 'sent' | 'closing' | 'closed' | 'failed';
  /** How the platform names what was sent, e.g. channel and ts. */
  reference: Record<string, unknown> | null;
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
    interruptId: Number,
    surface: String,
    key: String,
    status: String,
    reference: { type: Object, default: null },
    attempts: { type: Number, default: 0 },
    dueAt: { type: Date, default: Date.now },
    error: { type: String, default: null },
  },
  indexes: [
    [{ accountId: 1, key: 1 }, { unique: true }],
    [{ status: 1, dueAt: 1 }],
    [{ accountId: 1, interruptId: 1 }],
  ],
});
