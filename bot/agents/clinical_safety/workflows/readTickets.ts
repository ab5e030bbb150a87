import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { digestOf } from '../../../../models/digest.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { readTickets } from '../../../engine/trackers/readTickets.ts';
import { makeTicketFile } from '../../../engine/trackers/ticketFile.ts';
import { readTrackers } from '../../../engine/trackers/tracker.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { acceptFile } from '../files/acceptFile.ts';

const readState = z.object({
  service: z.string(),
  name: z.string(),
  read: z.object({ count: z.number(), readAt: z.coerce.date(), query: z.string() }).optional(),
});
type State = z.output<typeof readState>;
type Result = Promise<StepResult<State>>;

/** Reads the tickets of a connected tracker into the conversation, as if somebody had dropped in an export. */
export const readTicketsWorkflow = defineWorkflow({
  name: 'read-tickets',
  state: readState,
  tool: 'hazardanalysis',
  title: 'Read the tickets',
  first: 'read',
  exclusive: { noun: 'reading of tickets', replaced: 'What was read so far is kept.', keeps: 'What was read is kept.' },
  reserve: LIMITS.credits.step,
  steps: {
    read: { label: 'Read from the tracker', run: read },
    add: { label: 'Add them to the conversation', run: add, brief: true },
  },
});

/**
 * The tracker that a text names, or the only one that is connected.
 * @throws AppError tool_off, not_configured where none is connected, not_available where several are
 */
export async function routeReadTickets(userAgent: UserAgentRow, text: string): Promise<Route> {
  requireTool(userAgent, readTicketsWorkflow.tool ?? null);
  const trackers = await readTrackers(userAgent.accountId);
  const words = text.toLowerCase();
  const named = trackers.find(({ id, name }) => words.includes(name.toLowerCase()) || words.includes(id));
  const on = trackers.filter(({ isOn }) => isOn);
  if (named && !named.isOn) {
    const connect = `${named.name} is not connected, or is switched off. Connect it under Integrations.`;
    throw new AppError('not_configured', { text: connect });
  }
  const tracker = named ?? on[0];
  if (!tracker) {
    const none = 'No tracker is connected. Connect one under Integrations, or drop a ticket export in here.';
    throw new AppError('not_configured', { text: none });
  }
  if (!named && on.length > 1) {
    const names = on.map(({ name }) => name).join(', ');
    throw new AppError('not_available', { text: `Say from which tracker to read: ${names}.` });
  }
  return beginWith(readTicketsWorkflow, text, { service: tracker.id, name: tracker.name });
}

async function read({ run, state, signal, progress }: StepContext<State>): Result {
  const label = `Reading from ${state.name}`;
  const { count, readAt, query } = await readTickets(run.accountId, state.service, {
    by: String(run._id),
    signal,
    onProgress: (done, total) => progress(label, done, total ?? 0),
  });
  return { next: 'add', state: { read: { count, readAt, query } }, cost: LIMITS.credits.step };
}

async function add({ run, state, conversation }: StepContext<State>): Result {
  const { service, name, read: done } = state;
  if (!conversation || !done) return { done: { output: '' }, cost: 0 };
  const { fileName, bytes } = await makeTicketFile(run.accountId, service, done.query);
  const digest = await digestOf(bytes);
  const source = { service, name, query: done.query, syncedAt: done.readAt, count: done.count };
  await acceptFile(conversation, { fileName, bytes, digest, source }, String(run._id));
  return { done: { output: `Read ${done.count.toLocaleString('en-GB')} tickets from ${name}.` }, cost: 0 };
}
