import { useState } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { describeOutcomes } from '../../../models/contracts/questionRows.ts';
import { textOf } from '../../data/call.ts';
import { answer, refreshInterrupts, SIGNED_ONCE } from '../../data/interrupts.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { WorkButton } from '../WorkButton.tsx';

/** Signs, as the second person, every decision that the first one has signed. */
export function AgreeButton({ interrupt, onAnswered }: { interrupt: Interrupt; onAnswered: () => void }) {
  const [busy, setBusy] = useState(false);
  const { draft, signedBy, view } = interrupt;
  const decided = draft?.rows ?? [];
  const agree = async () => {
    setBusy(true);
    try {
      const answered = await answer(interrupt, {
        review: { step: 'send' },
        ...(draft ? { draftVersion: draft.version } : {}),
      });
      if (answered.status === 'pending') showToast(SIGNED_ONCE);
      else {
        const message = `${describeOutcomes(view.rows ?? {}, decided)}, as ${signedBy?.name} signed.`;
        showToast({ title: 'Signed by both', message, tone: 'done' });
        onAnswered();
      }
    } catch (error) {
      showFailure('Nothing was signed', textOf(error, 'Please try again.'));
      void refreshInterrupts();
    }
    setBusy(false);
  };
  return (
    <>
      {/* One press signs all of these, so they are counted beside it. */}
      {decided.length > 0 ? (
        <p className="soft">
          {signedBy?.name} decided: {describeOutcomes(view.rows ?? {}, decided)}.
        </p>
      ) : null}
      <WorkButton busy={busy} onClick={() => void agree()}>
        Agree with {signedBy?.name} and sign
      </WorkButton>
    </>
  );
}
