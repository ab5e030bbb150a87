import { arcStatus } from '../../../models/contracts/arc/calls.ts';
import { arcCard } from '../../../models/contracts/arc/card.ts';
import { readEngineStatus } from '../../engine/accounts/engineStatus.ts';
import { defineCall } from '../../engine/calls/call.ts';
import { defineChannel } from '../../engine/delivery/plugIn.ts';

/** The product's own chat: browsers, connected by sockets. */
export const arc = defineChannel({
  card: arcCard,
  environment: [],
  async open() {
    const { attachArcChannel } = await import('./app.ts');
    let io: ReturnType<typeof attachArcChannel> | undefined;
    return {
      attach(server, gate) {
        io = attachArcChannel(server, gate);
      },
      stop: async () => io?.close(),
    };
  },
  calls: [defineCall(arcStatus, ({ who }) => readEngineStatus(who.accountId))],
});
