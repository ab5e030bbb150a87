import { replayEvents } from '../bot/engine/payments/events.ts';
import type { Job } from './job.ts';

/** Applies payment events that no webhook brought, and those that failed. */
export const replayPayments: Job = { name: 'replayPayments', every: '5 minutes', run: () => replayEvents() };
