import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { AnswerForm } from '../inbox/AnswerForm.tsx';
import { Sections } from '../inbox/Sections.tsx';
import classes from './ChatWindow.module.css';

/** A question inside the conversation, with its answer form or its resolution. */
export function AskedHere({ interrupt }: { interrupt: Interrupt | undefined }) {
  if (!interrupt) return null;
  const { status, view, resolution, abilities } = interrupt;
  return (
    <div className={classes.asked}>
      <Sections sections={view.sections} />
      {status !== 'pending' ? (
        <div className="soft">{resolution?.text ?? 'Withdrawn before it was answered.'}</div>
      ) : abilities.answer ? (
        <>
          {abilities.signed ? <div className="soft">{abilities.waitsFor}</div> : null}
          <AnswerForm interrupt={interrupt} surface="arc-chat" onAnswered={() => undefined} />
        </>
      ) : (
        <div className="soft">{abilities.waitsFor}</div>
      )}
    </div>
  );
}
