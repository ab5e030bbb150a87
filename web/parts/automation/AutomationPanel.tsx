import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type AutomationJob, CRON_PRESETS, DEFAULT_CRON } from '../../../models/contracts/automation.ts';
import { findSchedule, SCHEDULES } from '../../../models/contracts/catalogue.ts';
import { createJob, removeJob, runJob, setJobEnabled, useJobs } from '../../data/automation.ts';
import { CallError, codeOf, textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { momentOf } from '../../data/words.ts';
import { Callout } from '../Notice.tsx';
import { SectionNotLoaded } from '../NotLoaded.tsx';
import { ObjectiveField } from '../ObjectiveField.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './AutomationPanel.module.css';
import { JobHistory } from './JobHistory.tsx';
import { lastRunText } from './lastRun.ts';

const frequencies = [
  { value: CRON_PRESETS.daily, label: 'Every day at 09:00' },
  { value: CRON_PRESETS.weekly, label: 'Every Monday at 09:00' },
  { value: CRON_PRESETS.monthly, label: 'On the 1st of every month at 09:00' },
  { value: CRON_PRESETS.quarterly, label: 'On the 1st of every third month at 09:00' },
  { value: 'custom', label: 'Custom (cron expression)' },
];

function frequencyText(expression: string): string {
  return frequencies.find((it) => it.value === expression)?.label ?? expression;
}

/** Scheduled jobs: a form to add one, and the list with last outcomes. */
export function AutomationPanel() {
  const [open, setOpen] = useState(false);
  return (
    <details className={`card ${classes.panel}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Stay compliant in future</summary>
      {open ? <Schedule /> : null}
    </details>
  );
}

function Schedule() {
  const jobs = useJobs();
  const [action, setAction] = useDraft('automation.action', () => '');
  const [frequency, setFrequency] = useDraft('automation.frequency', () => DEFAULT_CRON);
  const [expression, setExpression] = useDraft('automation.expression', () => '');
  const [prompt, setPrompt] = useDraft('automation.prompt', () => '');
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const chosen = findSchedule(action);
  const needs = chosen?.needs;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!action || !frequency) {
      setFault({ title: 'Configuration incomplete', text: 'Choose an action and how often it runs.' });
      return;
    }
    if (needs && !prompt.trim()) {
      setFault({ title: 'Configuration incomplete', text: `Say what it is to do, e.g. “${needs.example}”.` });
      return;
    }
    const cronExpression = frequency === 'custom' ? expression.trim() : frequency;
    if (!cronExpression) {
      setFault({ title: 'Invalid CRON expression', text: 'Enter five fields, for example 0 9 * * 1.' });
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      const name = chosen?.label ?? action;
      await createJob({ name, actionType: action, prompt: needs ? prompt : '', cronExpression });
      setAction('');
      setPrompt('');
      showToast({ title: 'Automation configured', message: frequencyText(cronExpression), tone: 'done' });
    } catch (error) {
      const known = codeOf(error) === 'bad_request';
      const sentence = error instanceof CallError ? error.body?.fields?.cronExpression : undefined;
      setFault({
        title: known ? 'Invalid CRON expression' : 'Not scheduled',
        text: sentence ?? textOf(error, 'Failed to configure automation. Please try again.'),
      });
    }
    setBusy(false);
  };

  return (
    <div className={classes.body}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <NativeSelect
          label="Action"
          value={action}
          onChange={(event) => setAction(event.currentTarget.value)}
          data={[
            { value: '', label: 'Choose an action' },
            ...SCHEDULES.map(({ action: value, label, status }) => {
              const disabled = status === 'in-preparation';
              return { value, label: disabled ? `${label} (in preparation)` : label, disabled };
            }),
          ]}
        />
        <NativeSelect
          label="How often"
          value={frequency}
          onChange={(event) => setFrequency(event.currentTarget.value)}
          data={frequencies}
        />
        {needs ? <ObjectiveField label={needs.label} value={prompt} onChange={setPrompt} /> : null}
        {frequency === 'custom' ? (
          <TextInput
            label="Cron expression"
            placeholder="0 9 * * 1"
            value={expression}
            onChange={(event) => setExpression(event.currentTarget.value)}
          />
        ) : null}
        <WorkButton type="submit" busy={busy}>
          Schedule
        </WorkButton>
      </form>
      {fault ? (
        <Callout tone="error" title={fault.title}>
          {fault.text}
        </Callout>
      ) : null}
      {!jobs.data ? (
        <SectionNotLoaded
          title="Scheduled work could not be loaded"
          failed={Boolean(jobs.error)}
          retry={jobs.mutate}
          lines={2}
        />
      ) : jobs.data.jobs.length === 0 ? (
        <p className="soft">
          Nothing is scheduled yet. Choose an action and how often it runs, in your company’s time zone.
        </p>
      ) : (
        <ul className={classes.jobs}>
          {jobs.data.jobs.map((job) => (
            <Job key={job.id} job={job} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Job({ job }: { job: AutomationJob }) {
  const [busy, setBusy] = useState(false);
  const canChange = job.abilities.change;
  const attempt = async (work: () => Promise<unknown>, otherwise: string) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showFailure('Automation', textOf(error, otherwise));
    }
    setBusy(false);
  };
  const again = () => {
    const { name, action: actionType, prompt, cronExpression, enabled } = job;
    createJob({ name, actionType, prompt, cronExpression, enabled }).catch((error: unknown) =>
      showFailure('Automation', textOf(error, 'Failed to configure automation. Please try again.')),
    );
  };
  const remove = async () => {
    await removeJob(job.id);
    showToast({ title: 'Automation removed', message: job.name, tone: 'done', action: { label: 'Undo', run: again } });
  };
  return (
    <li>
      <div>
        <h3>{job.name}</h3>
        {job.prompt ? <p className="small">{job.prompt}</p> : null}
        <p className="soft small">
          {frequencyText(job.cronExpression)}, {job.timeZone}.{' '}
          {job.enabled && job.nextRunAt ? `Next ${momentOf(job.nextRunAt, job.timeZone)}.` : 'Paused.'}{' '}
          {lastRunText(job)}
        </p>
        {canChange ? null : <p className="soft small">Only the owner and whoever scheduled this can change it.</p>}
      </div>
      <Switch
        aria-label={`${job.name} on`}
        checked={job.enabled}
        disabled={busy || !canChange}
        onChange={(event) => {
          const enabled = event.currentTarget.checked;
          void attempt(() => setJobEnabled(job.id, enabled), 'Failed to configure automation. Please try again.');
        }}
      />
      <Button
        size="xs"
        variant="default"
        disabled={busy || !canChange}
        onClick={() => attempt(() => runJob(job.id), 'Failed to configure automation. Please try again.')}
      >
        Run now
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={busy || !canChange}
        aria-label={`Remove ${job.name}`}
        onClick={() => attempt(remove, 'Failed to remove automation. Please try again.')}
      >
        Remove
      </Button>
      <JobHistory job={job} />
    </li>
  );
}
