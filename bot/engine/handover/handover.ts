import { setTimeout as wait } from 'node:timers/promises';
import { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Handover, type HandoverRow } from '../../../models/handover.ts';
import { logger } from '../../../models/logger.ts';
import { carriesOn, wakeWorkers } from '../../../models/store/carriesOn.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { insertRow } from '../../../models/store/insert.ts';
import { defineWork } from '../../../models/store/work.ts';
import { describeFault, type Fault, type OwnErrors, readFault } from './faults.ts';
import { dropValues, readValue, writeValue } from './handedValues.ts';

/** What web processes hand to workers. The caller waits, so nothing is retried: the person tries again. */
export const handovers = defineWork<HandoverRow>({
  name: 'handovers',
  rows: Handover,
  open: { status: 'due' },
  asRead: ({ status }) => ({ status }),
  dead: { status: 'failed' },
  dropped: { status: 'cancelled' },
  lanes: [{}],
  isLong: true,
  leaseMs: 10_000,
  retry: { attempts: 1, firstWait: 1000, longestWait: 1000, jitter: 0 },
  atOnce: 8,
  groupOf: () => null,
});

type Outcome = { output: unknown } | { fault: Fault };

/** The account of what belongs to no company: a mail to somebody who signs up, the sample. */
const NO_ACCOUNT = 0;
/** How often a web process looks for an outcome: soon at first, because most take less than a second. */
const FIRST_LOOKS = { count: 40, everyMs: 25 };
const LATER_LOOK_MS = 150;
/** Looks after which workers are woken again. */
const LOOKS_TO_A_WAKE = 10;

const tasks = new Map<string, Pick<Task<never, unknown>, 'run' | 'own'>>();

/** Something that a web process leaves to workers. */
type Task<Input, Output> = {
  name: string;
  /** Milliseconds that the caller waits for a worker's outcome, for an input. */
  waitMs(input: Input): number;
  /** Does it, in a process that carries work on. @param accountId null for what belongs to no company */
  run(input: Input, accountId: number | null): Promise<Output>;
  own?: OwnErrors;
};

/**
 * Declares something that no web process does: in a process that carries work on it is done at once, a web process
 * stores it, wakes a worker, and waits for the outcome.
 * @returns a function that has it done. It throws as `run` does, and AppError workers_unavailable where no worker has
 *   done it in time
 */
export function onWorkers<Input, Output>(task: Task<Input, Output>) {
  tasks.set(task.name, task);
  return async (input: Input, accountId: number | null, signal?: AbortSignal): Promise<Output> => {
    if (carriesOn) return task.run(input, accountId);
    const waitMs = task.waitMs(input);
    return runInAccount(accountId ?? NO_ACCOUNT, async () => {
      const row = await store(task.name, input, accountId ?? NO_ACCOUNT, waitMs);
      const outcome = await awaitOutcome(row, waitMs, signal);
      if ('fault' in outcome) throw readFault(outcome.fault, task.own);
      return outcome.output as Output;
    });
  };
}

/**
 * Declares something that no web process does and that nobody waits for.
 * @returns a function that has it done in the background; where it fails, that is logged
 */
export function laterOnWorkers<Input>(task: Pick<Task<Input, void>, 'name' | 'run'>) {
  tasks.set(task.name, task);
  return (input: Input, accountId: number): void => {
    const begun = carriesOn
      ? task.run(input, accountId)
      : runInAccount(accountId, () => store(task.name, input, accountId, LATER_MS));
    runInBackground(task.name, begun as Promise<unknown>);
  };
}

/** How long something that nobody waits for may stay undone. */
const LATER_MS = 5 * 60_000;

async function store(task: string, input: unknown, accountId: number, waitMs: number): Promise<HandoverRow> {
  const _id = new Types.ObjectId();
  const row: HandoverRow = {
    _id,
    accountId,
    task,
    input: await writeValue(_id, accountId, input),
    status: 'due',
    outcome: null,
    expiresAt: new Date(Date.now() + waitMs),
    ...handovers.newClaim(),
  };
  await insertRow(Handover, row);
  handovers.noteClaim(row);
  return row;
}

async function awaitOutcome(row: HandoverRow, waitMs: number, signal: AbortSignal | undefined): Promise<Outcome> {
  const { _id, input } = row;
  const until = performance.now() + waitMs;
  let outcome: HandoverRow['outcome'] = null;
  try {
    for (let looks = 0; performance.now() < until && !signal?.aborted; looks += 1) {
      await wait(looks < FIRST_LOOKS.count ? FIRST_LOOKS.everyMs : LATER_LOOK_MS);
      // A signal may have been lost, or no worker was there to read it.
      if (looks >= FIRST_LOOKS.count && looks % LOOKS_TO_A_WAKE === 0) wakeWorkers('handovers');
      const now = await Handover.findOne({ _id, status: { $ne: 'due' } }, { status: 1, outcome: 1 }).lean();
      if (!now) continue;
      outcome = now.outcome;
      if (outcome) return (await readValue(_id, outcome)) as Outcome;
      break;
    }
  } finally {
    runInBackground('clearing a handover', clear(_id, [input, outcome]));
  }
  throw new AppError(signal?.aborted ? 'cancelled' : 'workers_unavailable');
}

/** Deletes a handover that nobody waits for any more: a worker that is still at it can't write its outcome. */
async function clear(_id: Types.ObjectId, values: HandoverRow['outcome'][]): Promise<void> {
  await Handover.deleteOne({ _id });
  await dropValues(values);
}

/** Does what web processes have handed over. @returns how many were claimed */
export const sweepHandovers = (): Promise<number> =>
  handovers.sweep({ handle: (row) => handovers.hold(row, () => perform(row)), tellSetAside: async () => {} });

async function perform(row: HandoverRow): Promise<void> {
  const { _id, accountId, task, input, expiresAt } = row;
  const known = tasks.get(task);
  if (!known || expiresAt.getTime() <= Date.now()) {
    logger.warn({ task, account: accountId }, 'a handover came too late, or this release does not know its task');
    await handovers.complete(row, { status: 'cancelled' });
    return;
  }
  const outcome: Outcome = await readValue(_id, input)
    .then((value) => known.run(value as never, accountId === NO_ACCOUNT ? null : accountId))
    .then(
      (output) => ({ output }),
      (error: unknown) => {
        logger.info({ err: error, task }, 'a handover failed');
        return { fault: describeFault(error, known.own) };
      },
    );
  const written = await writeValue(_id, accountId, outcome);
  if (await handovers.complete(row, { status: 'done', outcome: written })) return;
  await dropValues([written]);
}
