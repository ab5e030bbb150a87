import { workEvents } from './store/work.ts';

/** Events that are counted for monitoring since the process began, with their labels. */
export const COUNTED = {
  leases_lost: { help: 'Runs that another process took over while this one still worked on them', labels: [] },
  model_tokens: { help: 'Tokens of language models, input and output together', labels: ['model'] },
  deliveries: { help: 'Attempts to deliver to a surface, by outcome', labels: ['surface', 'outcome'] },
  mails: { help: 'Mails that were handed to the mail server, by outcome', labels: ['outcome'] },
  document_jobs: { help: 'Documents that were read or written in a thread, by kind of thread', labels: ['thread'] },
  work_events: {
    help: 'What happened to work: claimed, completed, retried, given_up, lost, …',
    labels: ['kind', 'event'],
  },
} as const;
export type Counted = keyof typeof COUNTED;

/** Counts by event and by its label values, in the order of `labels`. */
const counts = new Map<Counted, Map<string, number>>();

/** Counts an event. @param values one for each label of the event */
export function countEvent(event: Counted, values: readonly string[] = [], by = 1): void {
  const known = counts.get(event) ?? new Map<string, number>();
  const key = JSON.stringify(values);
  known.set(key, (known.get(key) ?? 0) + by);
  counts.set(event, known);
}

/** What was counted of an event. */
export const readCounts = (event: Counted): { values: string[]; count: number }[] =>
  [...(counts.get(event) ?? [])].map(([key, count]) => ({ values: JSON.parse(key) as string[], count }));

workEvents.on('work', ({ kind, event }) => countEvent('work_events', [kind, event]));
