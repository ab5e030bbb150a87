import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { agents } from '../bot/agents/index.ts';
import { channels } from '../bot/channels/index.ts';
import { connectors } from '../bot/connectors/index.ts';
import { registerRevocations } from '../bot/engine/accounts/installations.ts';
import { closeAgents, registerAgents } from '../bot/engine/agents/registry.ts';
import { hasCredentials } from '../bot/engine/connectors/connector.ts';
import { registerChannelConnector, registerConnector } from '../bot/engine/connectors/registry.ts';
import type { Gate } from '../bot/engine/delivery/plugIn.ts';
import { onAnswered, resumeAnswered } from '../bot/engine/interrupts/applyConsequences.ts';
import { writeFinished } from '../bot/engine/turns/finishTurns.ts';
import { sweepAll } from '../bot/engine/turns/sweepAll.ts';
import { resumeRun } from '../bot/engine/workflows/resumeRun.ts';
import { startJobs } from '../jobs/run.ts';
import { runInBackground } from '../models/background.ts';
import { checkDataDirectory } from '../models/dataDirectory.ts';
import { baseUrl, env, isConfigured, unusedVariables } from '../models/env.ts';
import { logger } from '../models/logger.ts';
import { carriesOn } from '../models/store/carriesOn.ts';
import { connectStore, ensureIndexes } from '../models/store/connect.ts';
import { isStoreFull } from '../models/store/fault.ts';
import { migrate } from '../models/store/migrate.ts';
import { processName } from '../models/store/processName.ts';
import { publishSignals, readSignals } from '../models/store/signals.ts';
import { startTracing } from '../models/tracing.ts';
import { type AppParts, createApp } from './app.ts';
import { requireChat } from './middleware/chatGate.ts';
import { isSameOrigin } from './middleware/origin.ts';
import { countChat } from './middleware/rate.ts';
import { makeSession, whoIsStill } from './middleware/session.ts';

/**
 * How long idle connections stay open: longer than with common proxies (60 s), so that the proxy closes first and no
 * request is lost on a closing connection.
 */
const KEEP_ALIVE_MS = 65_000;

/**
 * The composition root: starts store, engine, agents, channels, connectors, HTTP server and jobs.
 * @returns the port, and a function that stops everything
 */
export async function start(): Promise<{ port: number; stop(): Promise<void> }> {
  for (const sentence of unusedVariables()) logger.warn(sentence);
  const stopTracing = await startTracing();
  const store = await connectStore();
  if (store.embedded) await checkDataDirectory();
  await migrate();
  await ensureIndexes();
  registerAgents(agents);
  openConnectors();
  onAnswered(resumeRun);
  const session = makeSession();
  const webDirectory = join(dirname(fileURLToPath(import.meta.url)), 'web');
  const opened = await openChannels();
  const server = createServer(createApp({ session, webDirectory, ...opened.parts }));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  opened.attach(server, makeGate(session));
  // Publishes only when several processes share the store; always reads, because commands publish.
  const stopReading = readSignals(processName);
  const isShared = env.MONGODB_URI || env.ROLE !== 'all';
  const stopPublishing = isShared ? publishSignals(processName) : async () => {};
  if (carriesOn) await resumeAnswered();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(env.PORT, env.HOST, resolve);
  });
  const stopJobs = carriesOn ? await startWorkOrRetry() : async () => {};
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : env.PORT;
  return {
    port,
    async stop() {
      stopReading();
      await Promise.all([opened.stop(), stopJobs()]);
      await closeAgents();
      await writeFinished();
      await stopPublishing();
      await store.close();
      await stopTracing();
    },
  };
}

/** The edge's access checks, for channels that serve browsers. */
export const makeGate = (session: RequestHandler): Gate => ({
  session: session as Gate['session'],
  whoIs: whoIsStill,
  mayChat: requireChat,
  countMessage: countChat,
  sameOrigin: (request) => isSameOrigin(request as never),
});

/** Opens every configured channel; a platform's library is loaded only then. */
export async function openChannels(): Promise<{
  parts: Required<Pick<AppParts, 'channels' | 'openChannels'>>;
  attach(server: Server, gate: Gate): void;
  stop(): Promise<void>;
}> {
  registerRevocations(channels);
  for (const { card } of channels)
    if (!isConfigured(card)) logger.info(`${card.name} is off: it needs ${card.needs.join(', ')}`);
  const open = await Promise.all(
    channels
      .filter(({ card }) => isConfigured(card))
      .map(async ({ card, open }) => ({ id: card.id, ...(await open()) })),
  );
  for (const { id, connector } of open) if (connector) registerChannelConnector(id, connector);
  return {
    parts: { channels, openChannels: open },
    attach(server, gate) {
      for (const { attach } of open) attach?.(server, gate);
    },
    stop: async () => void (await Promise.all(open.map(({ stop }) => stop()))),
  };
}

/** Registers every connector that this deployment has credentials for. */
function openConnectors(): void {
  for (const connector of connectors) {
    if (hasCredentials(connector)) registerConnector(connector);
    else logger.info(`${connector.card.name} is off: it needs ${connector.card.needs.join(', ')}`);
  }
}

const RETRY_MS = 15_000;

/** Starts background work. While the disk is full, the server only serves reads and tries again every 15 seconds. */
async function startWorkOrRetry(): Promise<() => Promise<void>> {
  let stop = async () => {};
  const begin = async (): Promise<void> => {
    try {
      stop = await startWork();
    } catch (error) {
      if (!isStoreFull(error)) throw error;
      logger.error(
        { err: error },
        'the disk is full: background work is paused until there is room; data can still be read',
      );
      const again = setTimeout(() => runInBackground('starting background work', begin()), RETRY_MS).unref();
      stop = async () => clearTimeout(again);
    }
  };
  await begin();
  return () => stop();
}

/** Finishes the work of the previous process first, then starts the jobs. */
async function startWork(): Promise<() => Promise<void>> {
  await sweepAll();
  return startJobs();
}

/** Starts the server, logs its address, and stops on a signal. */
export async function main(): Promise<void> {
  const begun = performance.now();
  const running = await start();
  logger.info(
    { milliseconds: Math.round(performance.now() - begun) },
    `Arc is ready at ${baseUrl().replace(/:0$/, `:${running.port}`)}`,
  );
  process.send?.({ ready: true, port: running.port });
  stopOnSignals(running.stop);
}

const DRAIN_MS = 10_000;

/**
 * Ends the process once: on a signal with status 0, on an uncaught fault with 1. Work in progress may finish for ten
 * seconds; a second signal ends the process at once. After a fault the memory's state is unknown, so the process must
 * not continue; accepted work is in the store and is resumed at the next start.
 */
function stopOnSignals(stop: () => Promise<void>): void {
  let leaving = false;
  const leave = (code: 0 | 1) => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (leaving ? process.exit(1) : leave(0)));
  }
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      logger.fatal({ err: error, fault }, 'uncaught fault: the process finishes its work and ends');
      leave(1);
    });
  }
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) await main();
