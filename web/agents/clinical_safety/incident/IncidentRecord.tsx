import { Textarea } from '@mantine/core';
import { MAX_INCIDENT, recordIncident } from '../../../../models/contracts/clinical_safety/incident.ts';
import { call } from '../../../data/call.ts';
import { useDraft } from '../../../data/drafts.ts';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import classes from '../reports/CaseReports.module.css';
import { useTextAnswer } from '../TextAnswer.tsx';

/** Takes the description of an incident for a record of its first hour. The text stays until the server accepts it. */
export function IncidentRecord({ userAgentId }: { userAgentId: number }) {
  const [text, setText] = useDraft(`incident.${userAgentId}`, () => '');
  const { busy, run, shown } = useTextAnswer('Not Recorded', 'Nothing was recorded. Your text is still here.');
  const start = () =>
    run('record', async () => {
      const { response } = await call(recordIncident, { params: { id: userAgentId }, body: { text } });
      setText('');
      return response;
    });
  return (
    <section className={classes.section} aria-label="Incident, first hour">
      <h3>Incident, first hour</h3>
      <p className="soft small">
        Look after the patients first. Then say what you know. You get a Word document with what you said in order, what
        to find out, hazards of the log to look at, and letters for you to finish. Arc judges nothing and sends nothing.
      </p>
      <Textarea
        label="What happened"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={MAX_INCIDENT}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div>
        <WorkButton variant="default" busy={busy !== null} disabled={text.trim() === ''} onClick={start}>
          Prepare the incident record
        </WorkButton>
      </div>
      {shown}
    </section>
  );
}
