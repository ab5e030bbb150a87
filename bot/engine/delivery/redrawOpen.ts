import { Delivery } from '../../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { onSignatureWithdrawn } from '../accounts/lostSignatures.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { laterOnWorkers } from '../handover/handover.ts';
import { channelOf } from './channel.ts';
import { viewInterrupt } from './viewInterrupt.ts';

const redrawLater = laterOnWorkers<{ _id: number }>({
  name: 'drawing a question again',
  run: ({ _id }, accountId) => redraw({ _id, accountId: accountId ?? 0 }),
});

/**
 * Draws a pending question again on the surfaces of other companies, in the background, because its buttons have
 * changed; in a web process, by a worker. Best effort: a button that stays is refused.
 */
export function redrawOpen({ _id, accountId }: Pick<InterruptRow, '_id' | 'accountId'>): void {
  redrawLater({ _id }, accountId);
}

onSignatureWithdrawn(redrawOpen);

async function redraw({ _id, accountId }: Pick<InterruptRow, '_id' | 'accountId'>): Promise<void> {
  const [sent, zone] = await Promise.all([
    Delivery.find({ interruptId: _id, status: 'sent' }).lean(),
    readTimeZone(accountId),
  ]);
  for (const delivery of sent) {
    const channel = channelOf(delivery.surface);
    if (!channel?.remote) continue;
    // Read each time: an answer that came meanwhile must not be drawn over by its open question.
    for (let drawn = ''; ; ) {
      const now = await Interrupt.findOne({ _id }).lean();
      if (!now || now.status === drawn) break;
      drawn = now.status;
      await channel
        .redraw(viewInterrupt(now, null, zone), delivery)
        .catch((error: unknown) => logger.debug({ err: error, interrupt: _id }, 'could not draw a question again'));
    }
  }
}
