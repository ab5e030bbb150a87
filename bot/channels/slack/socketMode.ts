import { setTimeout as wait } from 'node:timers/promises';
import { type App, SocketModeReceiver } from '@slack/bolt';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { clientOptions } from './client.ts';
import { quietLogger } from './quietLogger.ts';

/** The back-off before a reconnection starts at this and doubles with each failure, up to the maximum. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;

type Client = SocketModeReceiver['client'];

/** A receiver that does not reconnect by itself; {@link keepConnected} does, and never gives up. */
export const makeSocketReceiver = (): SocketModeReceiver =>
  new SocketModeReceiver({
    appToken: env.SLACK_APP_TOKEN,
    logger: quietLogger as never,
    autoReconnectEnabled: false,
    // No retries here: keepConnected backs off between attempts.
    installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: 0 } } },
  } as never);

/**
 * Keeps the app connected to Slack until it is stopped. The library gives up after an error that it considers final,
 * and leaves that promise without a handler; here every failure is logged and retried.
 * @returns stops the connection
 */
export function keepConnected(app: App, client: Client): () => Promise<void> {
  const stopping = new AbortController();
  const connect = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      let pause = 0;
      const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
      try {
        await app.start();
        failures = 0;
        await closed;
      } catch (error) {
        failures += 1;
        const asked = Number((error as { retryAfter?: number }).retryAfter ?? 0) * 1000;
        pause = Math.max(asked, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)));
        if (!stopping.signal.aborted) logger.warn({ err: error, failures }, 'Socket Mode is not connected; retrying');
      }
      await wait(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const connecting = connect();
  return async () => {
    stopping.abort();
    await app.stop();
    await Promise.race([connecting, wait(1000, undefined, { ref: false })]);
  };
}
