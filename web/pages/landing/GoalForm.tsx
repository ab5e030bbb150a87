import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { setVisitorGoal } from '../../data/visitorTeam.ts';
import { grouped } from '../../data/words.ts';
import classes from './LandingPage.module.css';

const DEFAULT_GOAL = 'Help me with compliance';

/** The fault of a goal (docs/spec-coverage.md, S1 section 5); null if it can be sent. */
function goalFault(goal: string): string | null {
  const text = goal.trim();
  if (text === '') return 'Please enter a project goal before starting the collaboration.';
  if (text.length < LIMITS.goal.min) return 'Please provide a more detailed project goal (at least 10 characters).';
  return null;
}

/** Form for the visitor's project goal. */
export function GoalForm({
  initial,
  working,
  onStart,
}: {
  initial: string | null;
  working: boolean;
  onStart: (goal: string) => void;
}) {
  const [goal, setGoal] = useState(initial ?? DEFAULT_GOAL);
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = goalFault(goal);
    setFault(found);
    if (!found && !working) onStart(goal.trim());
  };
  return (
    <form className={`card ${classes.goalForm}`} onSubmit={submit} noValidate>
      <h2>Define Your Project Goal</h2>
      <Textarea
        label="Project goal"
        description="Say what you are building and what you need, in your own words."
        minRows={4}
        rows={5}
        size="md"
        maxLength={LIMITS.goal.max}
        value={goal}
        error={fault ? <span role="alert">{fault}</span> : undefined}
        onChange={(event) => {
          setGoal(event.currentTarget.value);
          setVisitorGoal(event.currentTarget.value);
        }}
      />
      <div className={classes.goalFoot}>
        <span className="soft small figures" aria-live="polite">
          <span className="hidden-label">Characters used: </span>
          {grouped(goal.length)}/{LIMITS.goal.max}
        </span>
        <Button type="submit" size="md" disabled={working}>
          {working ? 'Agents Working...' : 'Start Agent Collaboration'}
        </Button>
      </div>
    </form>
  );
}
