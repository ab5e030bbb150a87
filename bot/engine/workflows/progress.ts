import { EventEmitter } from 'node:events';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { RunProgress } from '../../../models/contracts/chat.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { RunRow } from '../../../models/run.ts';
import { channelNamed } from '../delivery/channel.ts';
import { showDraft, type Written } from './drafts.ts';
import { showsProgress, type Workflow, workflowNamed } from './workflow.ts';

const STATUS: Record<RunRow['status'], RunProgress['status']> = {
  ready: 'working',
  waiting: 'waiting',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

type Reported = Pick<RunProgress, 'label' | 'done' | 'total'> & { written?: Written };

/** Last reported progress by run id; in memory only, otherwise the step's label is shown. */
const latest = new Map<string, Reported>();

/** Time of the last push by run id. */
const pushedAt = new Map<string, number>();
const PUSH_INTERVAL_MS = 100;

/** The progress of a run, as people see it. */
export function viewProgress(run: RunRow, workflow: Workflow = workflowNamed(run.workflow)): RunProgress {
  const steps = Object.entries(workflow.steps);
  const at = steps.findIndex(([id]) => id === run.step);
  const ended = run.status === 'completed';
  const { written, ...now } = latest.get(String(run._id)) ?? {
    label: workflow.steps[run.step]?.label ?? '',
    done: 0,
    total: 0,
  };
  // Where the run is executed elsewhere, or was before a crash: what that process has saved.
  const said = written?.text ?? (run.status === 'ready' ? run.draft?.said : undefined);
  return {
    runId: String(run._id),
    conversation: run.conversationId && String(run.conversationId),
    workspaceId: run.workspaceId,
    agentName: findAgent(run.agentId)?.displayName ?? run.agentId,
    title: workflow.title ?? '',
    status: STATUS[run.status],
    // Untitled work has no fixed order of steps.
    steps: (workflow.title === null ? [] : steps).map(([id, { label }], index) => ({
      id,
      label,
      state: ended || index < at ? 'done' : index === at ? 'doing' : 'todo',
    })),
    ...now,
    ...(said === undefined ? {} : { said }),
    startedAt: run.createdAt.toISOString(),
    cancellable: run.status === 'ready' || run.status === 'waiting',
  };
}

/** Pushes a run's progress to its conversation's channel. */
export function showProgress(run: RunRow, conversation: ConversationRow | null, now?: Reported): void {
  const workflow = workflowNamed(run.workflow);
  if (!showsProgress(workflow)) return;
  const key = String(run._id);
  const written = now && (conversation ? showDraft(run, conversation, now) : now.written);
  if (now) latest.set(key, { ...now, ...(written ? { written } : {}) });
  else latest.delete(key);
  // Counts are pushed at most ten times a second within a step. A label without a count may stand for long.
  const moment = Date.now();
  if (now && now.total > 0 && moment - (pushedAt.get(key) ?? 0) < PUSH_INTERVAL_MS) return;
  if (run.status === 'ready') pushedAt.set(key, moment);
  else pushedAt.delete(key);
  if (conversation) channelNamed(conversation.address.channel)?.progress(conversation, viewProgress(run, workflow));
}

/** Emits runs that stopped executing here: they wait for an answer or have ended. */
export const stoppedRuns = new EventEmitter<Record<string, [RunRow]>>();
stoppedRuns.setMaxListeners(0);
