import { IconFileSpreadsheet, IconTicket } from '@tabler/icons-react';
import classes from '../../../parts/chat/ChatWindow.module.css';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import type { FilesProps } from '../../agent.ts';
import { Tickets } from './Tickets.tsx';

/** The files that an analysis would read now, with upload and sample. */
export function FilesPanel({ ready, sources, isWorking, uploading, sampling, onSample }: FilesProps) {
  const nameOf = (file: string | null | undefined, none: string) =>
    !ready ? 'Loading…' : (file ?? (sampling ? 'Adding the sample…' : uploading.busy ? 'Uploading…' : none));
  return (
    <aside className={`card ${classes.files}`} aria-label="Hazard log upload" {...uploading.dropTarget}>
      <h2>Files for the analysis</h2>
      <ul>
        <li>
          <IconFileSpreadsheet size={20} stroke={1.6} aria-hidden />
          <div>
            <h3>Hazard log</h3>
            <p className="soft small">{nameOf(ready?.log, 'None yet')}</p>
          </div>
        </li>
        <li>
          <IconTicket size={20} stroke={1.6} aria-hidden />
          <div>
            <h3>Tickets</h3>
            <Tickets
              name={nameOf(ready?.tickets, 'Optional: none added')}
              source={sources.tickets ?? null}
              isOffered={Boolean(ready && !ready.tickets)}
              isWorking={isWorking}
            />
          </div>
        </li>
      </ul>
      <div className={classes.filesActions}>
        <WorkButton variant="default" busy={uploading.busy} onClick={uploading.choose}>
          Upload a file
        </WorkButton>
        {ready && !ready.log && onSample ? (
          <WorkButton variant="subtle" busy={sampling} onClick={onSample}>
            Try it with a sample
          </WorkButton>
        ) : null}
        <p className="soft small">Excel, Word, CSV or Markdown, up to 10 MB. Arc recognises which is which.</p>
      </div>
    </aside>
  );
}
