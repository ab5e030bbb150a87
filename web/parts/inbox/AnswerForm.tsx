import { Textarea } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { answerOf } from '../../../models/contracts/questionView.ts';
import { continueWorkflow } from '../../data/agentWork.ts';
import { CallError, codeOf, textOf } from '../../data/call.ts';
import { isTextTable, keepDraft, useDraft } from '../../data/drafts.ts';
import { answer, refreshInterrupts, SIGNED_ONCE, showInterrupt } from '../../data/interrupts.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { WorkButton } from '../WorkButton.tsx';
import classes from './Inbox.module.css';

/** Answers a question with one of its actions and that action's fields (docs/spec-coverage.md, S2 section 5). */
export function AnswerForm({
  interrupt,
  continues = false,
  surface = 'inbox',
  onAnswered,
}: {
  interrupt: Interrupt;
  continues?: boolean;
  /** Recorded as the place of the answer. */
  surface?: 'inbox' | 'arc-chat';
  onAnswered: () => void;
}) {
  const [chosen, setChosen] = useDraft(`choice.${interrupt.id}`, () => null);
  const [typed, setTyped] = useDraft<Record<string, string>>(`fields.${interrupt.id}`, () => ({}), isTextTable);
  const [sending, setSending] = useState(false);
  const group = useId();
  const { view } = interrupt;
  const choices = view.actions.filter(({ opens }) => opens === null);
  const action = choices.length === 1 ? choices[0] : choices.find(({ id }) => id === chosen);
  const fields = view.fields.filter(({ name }) => action?.fields.includes(name));
  const ready =
    action !== undefined && fields.every(({ required, name, value }) => !required || (typed[name] ?? value)?.trim());

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    setSending(true);
    try {
      // Continuing sends one text; a choice has more to say.
      if (continues && !fields.some(({ options }) => options)) {
        const text = fields.map(({ name }) => typed[name]?.trim()).filter(Boolean)[0];
        await continueWorkflow(interrupt.id, { action: action.name, ...(text ? { text } : {}) });
      } else {
        const answered = await answer(interrupt, { ...answerOf(view, { action: action.id, fields: typed }), surface });
        if (answered.status === 'pending') {
          showToast(SIGNED_ONCE);
          setSending(false);
          return;
        }
      }
      showToast({
        title: continues ? 'Workflow Continued' : 'Interrupt Resolved',
        message: `${interrupt.agentName} will carry on.`,
        tone: 'done',
      });
      for (const part of ['choice', 'fields']) keepDraft(`${part}.${interrupt.id}`, null);
      onAnswered();
    } catch (error) {
      if (codeOf(error) === 'already_answered' && error instanceof CallError && error.body?.standing) {
        await showInterrupt(error.body.standing as Interrupt);
        showFailure('Answered already', textOf(error, ''));
      } else {
        showFailure(
          continues ? 'Failed to continue workflow' : 'Error',
          textOf(error, 'Failed to resolve interrupt. Please try again.'),
        );
      }
      void refreshInterrupts();
      setSending(false);
    }
  };

  return (
    <form className={classes.form} onSubmit={submit}>
      {choices.length === 1 ? null : (
        <fieldset className={classes.choices}>
          <legend className="hidden-label">{interrupt.prompt}</legend>
          {choices.map((choice) => (
            <label key={choice.id} data-chosen={chosen === choice.id || undefined}>
              <input type="radio" name={group} checked={chosen === choice.id} onChange={() => setChosen(choice.id)} />
              {choice.label}
            </label>
          ))}
        </fieldset>
      )}
      {fields.map(({ name, label, required, maxLength, options, value }) =>
        options ? (
          <fieldset key={name} className={classes.choices}>
            <legend>{label}</legend>
            {options.map((option) => (
              <label key={option.id} data-chosen={typed[name] === option.id || undefined}>
                <input
                  type="radio"
                  name={`${group}${name}`}
                  checked={typed[name] === option.id}
                  onChange={() => setTyped({ ...typed, [name]: option.id })}
                />
                {option.label}
              </label>
            ))}
          </fieldset>
        ) : (
          <Textarea
            key={name}
            label={required ? label : `${label} (optional)`}
            rows={3}
            maxLength={maxLength}
            value={typed[name] ?? value ?? ''}
            onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
          />
        ),
      )}
      <WorkButton type="submit" busy={sending} disabled={!ready}>
        Send answer
      </WorkButton>
    </form>
  );
}
