import { Textarea } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import { continueWorkflow } from '../../data/agentWork.ts';
import { CallError, codeOf, textOf } from '../../data/call.ts';
import { keepDraft, useDraft } from '../../data/drafts.ts';
import { answer, refreshInterrupts, showInterrupt } from '../../data/interrupts.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { WorkButton } from '../WorkButton.tsx';
import classes from './Inbox.module.css';

type Choice = { id: string; label: string };

/** What may be chosen: the options of a decision or a project, yes or no of an approval. */
function choicesOf(interrupt: Interrupt): Choice[] {
  if (interrupt.interruptType === 'approval') {
    return [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject' },
    ];
  }
  return interrupt.options.map((option) =>
    typeof option === 'string' ? { id: option, label: option } : { id: option.id, label: option.label },
  );
}

/** Answers an approval, a decision, an input or a project's question: specification 2, section 5. */
export function AnswerForm({
  interrupt,
  continues = false,
  onAnswered,
}: {
  interrupt: Interrupt;
  continues?: boolean;
  onAnswered: () => void;
}) {
  const [chosen, setChosen] = useDraft<string | null>(`choice.${interrupt.id}`, () => null);
  const [text, setText] = useDraft(`answer.${interrupt.id}`, () => '');
  const [sending, setSending] = useState(false);
  const group = useId();
  const type = interrupt.interruptType;
  const choices = choicesOf(interrupt);
  const asksText = type === 'input' || chosen === 'edit';
  const ready = type === 'input' ? text.trim() !== '' : chosen !== null && (chosen !== 'edit' || text.trim() !== '');

  const body = (): AnswerBody => {
    if (type === 'approval') return { approved: chosen === 'approve', ...(text.trim() ? { reason: text.trim() } : {}) };
    if (type === 'decision') return { selectedOption: chosen ?? '' };
    if (type === 'input') return { userInput: text };
    return { userResponse: { choice: chosen, ...(text.trim() ? { text: text.trim() } : {}) } };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    setSending(true);
    try {
      if (continues) {
        const action = type === 'input' ? 'answer' : (chosen ?? '');
        await continueWorkflow(interrupt.id, { action, ...(text.trim() ? { text: text.trim() } : {}) });
      } else await answer(interrupt, body());
      showToast({
        title: continues ? 'Workflow Continued' : 'Interrupt Resolved',
        message: `${interrupt.agentName} goes on.`,
        tone: 'done',
      });
      for (const part of ['choice', 'answer']) keepDraft(`${part}.${interrupt.id}`, null);
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
      {type === 'input' ? null : (
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
      {asksText ? (
        <Textarea
          label={type === 'input' ? 'Your answer' : 'What should change'}
          rows={3}
          maxLength={8000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <WorkButton type="submit" busy={sending} disabled={!ready}>
        Send answer
      </WorkButton>
    </form>
  );
}
