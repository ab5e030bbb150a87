import { Textarea } from '@mantine/core';
import { analyse } from '../../../../models/contracts/clinical_safety/assessment.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { call } from '../../../data/call.ts';
import { useDraft } from '../../../data/drafts.ts';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import classes from '../reports/CaseReports.module.css';
import { useTextAnswer } from '../TextAnswer.tsx';

/** A product or a concern in words, and the hazards to consider. */
export function Assess({ userAgentId }: { userAgentId: number }) {
  const [text, setText] = useDraft(`assess.${userAgentId}`, () => '');
  const { busy, run, shown } = useTextAnswer('Analysis Failed', 'Nothing was assessed. Please try again.');
  const start = () =>
    run(
      'analyse',
      async () => (await call(analyse, { params: { id: userAgentId }, body: { message: text } })).response,
    );
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
        <WorkButton variant="default" busy={busy !== null} onClick={start}>
          Analyse
        </WorkButton>
      </div>
      {shown}
    </section>
  );
}
