import { defineWork } from '../../../models/store/work.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';

/** Turns of the release before carry no lease: it may be handling one that is younger than this. */
const HANDLED_BEFORE_MS = 10_000;

/**
 * Turns as work: a process stores a turn claimed and handles it once the earlier ones of its conversation are; sweeps take
 * over what it left.
 */
export const turns = defineWork<TurnRow>({
  name: 'turns',
  rows: Turn,
  open: { status: 'stored' },
  asRead: ({ status }) => ({ status }),
  dead: { status: 'failed' },
  dropped: { status: 'dropped' },
  due: (now) => ({
    dueAt: { $lte: now },
    $or: [{ lease: { $exists: true } }, { createdAt: { $lte: new Date(now.getTime() - HANDLED_BEFORE_MS) } }],
  }),
  order: { createdAt: 1, _id: 1 },
  lanes: [{}],
  leaseMs: 15_000,
  retry: { attempts: 7, firstWait: 15_000, longestWait: 600_000, jitter: 0.25 },
  atOnce: 8,
  isLong: true,
  groupOf: ({ conversationId }) => String(conversationId),
});
