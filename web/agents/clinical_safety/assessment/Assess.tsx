import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { analyse } from '../../../../models/contracts/clinical_safety/assessment.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { call, plainTextOf } from '../../../data/call.ts';
import { useDraft } from '../../../data/drafts.ts';
import { showFailure } from '../../../data/toasts.ts';
import { MessageText } from '../../../parts/MessageText.tsx';
import { Callout } from '../../../parts/Notice.tsx';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import classes from '../reports/CaseReports.module.css';

const FAILED = 'Analysis Failed';

/** A product or a concern in words, and the hazards to consider. */
export function Assess({ userAgentId }: { userAgentId: number }) {
  const [text, setText] = useDraft(`assess.${userAgentId}`, () => '');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [found, setFound] = useState<string | null>(null);
  const start = async () => {
    setBusy(true);
    setFault(null);
    try {
      setFound((await call(analyse, { params: { id: userAgentId }, body: { message: text } })).response);
    } catch (error) {
      const says = plainTextOf(error, 'Nothing was assessed. Please try again.');
      setFound(null);
      setFault(says);
      showFailure(FAILED, says);
    }
    setBusy(false);
  };
  return (
    <section className={classes.section} aria-label="Hazards to consider">
      <h3>Hazards to consider</h3>
      <Textarea
        label="A digital health product or a safety concern"
        description="Who does what, step by step. You get what-if questions and kinds of hazard for people to discuss, and no ratings."
        autosize
        minRows={3}
        maxRows={10}
        maxLength={LIMITS.chatMessage}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div>
        <WorkButton variant="default" busy={busy} onClick={start}>
          Analyse
        </WorkButton>
      </div>
      {fault ? (
        <Callout tone="error" title={FAILED}>
          {fault}
        </Callout>
      ) : null}
      {found ? (
        <div className={classes.found} role="status">
          <MessageText text={found} />
        </div>
      ) : null}
    </section>
  );
}
