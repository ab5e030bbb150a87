import { Run, type RunRow } from '../../../models/run.ts';
import { carriesOn } from '../../../models/store/carriesOn.ts';
import { defineWork } from '../../../models/store/work.ts';
import { SCHEDULE_KEY } from '../audit/surfaceOfRun.ts';

/** Attempts of a step that begins: the claim of a worker counts its own. */
export const FIRST_ATTEMPT = Number(carriesOn);

/** Start keys of scheduled runs. */
const SCHEDULED = { $gte: SCHEDULE_KEY, $lt: `${SCHEDULE_KEY.slice(0, -1)};` };

/**
 * Ready runs as work. Whoever starts or resumes a run executes it; sweeps take over what a process left behind. A claim
 * counts the attempts of the step, and the version, so that nothing that an earlier holder saves is accepted, in the
 * release before neither. A run that failed has told its person, and is not tried again.
 */
export const runs = defineWork<RunRow>({
  name: 'runs',
  rows: Run,
  open: { status: 'ready' },
  asRead: ({ status }) => ({ status }),
  dead: { status: 'failed' },
  dropped: { status: 'failed' },
  counted: ['version', 'attempts'],
  startsOf: ({ attempts }) => attempts - 1,
  cancelled: { cancelRequested: true },
  // The release before writes leases with an end of their own, and no `dueAt`.
  due: (now) => ({
    $or: [
      { dueAt: { $lte: now }, 'lease.until': null },
      { dueAt: null, lease: null },
      { 'lease.until': { $lte: now } },
    ],
  }),
  lanes: [{ startKey: { $not: SCHEDULED } }, { startKey: SCHEDULED }],
  leaseMs: 15_000,
  retry: { attempts: 3, firstWait: 1000, longestWait: 60_000, jitter: 0.25 },
  atOnce: 16,
  isLong: true,
  groupOf: () => null,
});
