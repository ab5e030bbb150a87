import { AccountExport } from '../../../models/accountExport.ts';
import { ConnectorScope } from '../../../models/connectorScope.ts';
import { Delivery } from '../../../models/delivery.ts';
import { CONSEQUENCES, Interrupt } from '../../../models/interrupt.ts';
import { Run } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';
import { servicesOfDocuments } from '../documents/syncDocuments.ts';

/** Work of one kind that waits: how much, how old the oldest is in seconds, and how much was given up. */
type WaitingWork = { kind: string; waiting: number; oldestSeconds: number; givenUp: number };

const ageOf = (since: Date | undefined, now: Date) =>
  since ? Math.max(0, (now.getTime() - since.getTime()) / 1000) : 0;

/**
 * The work of every company that is not done: turns that were not handled, runs that are to be worked on, deliveries that
 * were not sent, side effects of answers that were not applied, workspaces whose
 * reading is due, exports that are being prepared. For monitoring: figures without content.
 */
export function readWaitingWork(now = new Date()): Promise<WaitingWork[]> {
  return dangerouslyRunInEveryAccount(async () => {
    const answers = { status: 'resolved' as const, outbox: { $in: [...CONSEQUENCES] } };
    const overdue = {
      connector: { $in: servicesOfDocuments() },
      readingStatus: null,
      dueAt: { $lte: now },
    };
    const due = { status: { $in: ['due' as const, 'closing' as const] } };
    const [
      turns,
      turn,
      failedTurns,
      runs,
      run,
      deliveries,
      delivery,
      failed,
      left,
      oldest,
      setAside,
      readings,
      reading,
      failedReadings,
      exports,
      oldestExport,
      failedExports,
    ] = await Promise.all([
      Turn.countDocuments({ status: 'stored' }),
      Turn.findOne({ status: 'stored' }, { createdAt: 1 }).sort({ createdAt: 1 }).lean(),
      Turn.countDocuments({ status: 'failed' }),
      Run.countDocuments({ status: 'ready' }),
      Run.findOne({ status: 'ready' }, { _id: 1 }).sort({ _id: 1 }).lean(),
      Delivery.countDocuments(due),
      Delivery.findOne(due, { _id: 1 }).sort({ _id: 1 }).lean(),
      Delivery.countDocuments({ status: 'failed' }),
      Interrupt.countDocuments(answers),
      Interrupt.findOne(answers, { resolvedAt: 1 }).sort({ _id: 1 }).lean(),
      Interrupt.countDocuments({ setAside: { $in: [...CONSEQUENCES] } }),
      ConnectorScope.countDocuments(overdue as never),
      ConnectorScope.findOne(overdue, { dueAt: 1 }).sort({ dueAt: 1 }).lean(),
      ConnectorScope.countDocuments({ readingStatus: 'failed' }),
      AccountExport.countDocuments({ status: 'preparing' }),
      AccountExport.findOne({ status: 'preparing' }, { createdAt: 1 }).sort({ createdAt: 1 }).lean(),
      AccountExport.countDocuments({ status: 'failed' }),
    ]);
    return [
      { kind: 'turns', waiting: turns, oldestSeconds: ageOf(turn?.createdAt, now), givenUp: failedTurns },
      { kind: 'runs', waiting: runs, oldestSeconds: ageOf(run?._id.getTimestamp(), now), givenUp: 0 },
      {
        kind: 'deliveries',
        waiting: deliveries,
        oldestSeconds: ageOf(delivery?._id.getTimestamp(), now),
        givenUp: failed,
      },
      {
        kind: 'consequences',
        waiting: left,
        oldestSeconds: ageOf(oldest?.resolvedAt ?? undefined, now),
        givenUp: setAside,
      },
      { kind: 'syncs', waiting: readings, oldestSeconds: ageOf(reading?.dueAt, now), givenUp: failedReadings },
      { kind: 'exports', waiting: exports, oldestSeconds: ageOf(oldestExport?.createdAt, now), givenUp: failedExports },
    ];
  });
}
