import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { download, textOf } from '../../../data/call.ts';
import { showDownloadFailure } from '../../../data/chat.ts';
import { momentOf, sizeOf } from '../../../data/words.ts';
import { Callout } from '../../../parts/Notice.tsx';
import { Skeleton } from '../../../parts/Skeleton.tsx';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import classes from './CaseReports.module.css';
import { type DraftKind, startDraft, useCaseReports } from './reports.ts';

const KINDS: { kind: DraftKind; button: string }[] = [
  { kind: 'report', button: 'Write the safety case report' },
  { kind: 'sheet', button: 'Write the DCB0129 compliance sheet' },
];

/**
 * The safety case report and the compliance sheet: buttons that write drafts, and the drafts that are kept.
 * @param hasAnalysis whether there is an analysis to write it from
 * @param isBusy whether the agent is at work
 */
export function CaseReports({
  userAgentId,
  hasAnalysis,
  isBusy,
}: {
  userAgentId: number;
  hasAnalysis: boolean;
  isBusy: boolean;
}) {
  const [starting, setStarting] = useState<DraftKind | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  // What the server said, and the newest draft then: once a newer one is listed, it is no longer being written.
  const [started, setStarted] = useState<{ says: string; newest: string | undefined } | null>(null);
  const { data: reports, error } = useCaseReports(userAgentId);
  const start = async (kind: DraftKind) => {
    setStarting(kind);
    setFault(null);
    try {
      const newest = reports?.[0]?.url;
      setStarted({ says: await startDraft(userAgentId, kind), newest });
    } catch (failure) {
      setStarted(null);
      setFault(textOf(failure, 'Nothing was written. Please try again.'));
    }
    setStarting(null);
  };
  return (
    <section className={classes.section} aria-label="Safety case report and compliance">
      <h3>Safety case report and compliance</h3>
      <p className="soft small">
        {hasAnalysis
          ? 'Drafts from the newest analysis: the report in Word, in the order of the NHS, and every clause of DCB0129 in Excel with what Arc found. What only your Clinical Safety Officer can write or answer is marked.'
          : 'Drafts in Word and Excel are written from an analysis. Analyse your hazard log first.'}
      </p>
      <div className={classes.starts}>
        {KINDS.map(({ kind, button }) => (
          <WorkButton
            key={kind}
            variant="default"
            busy={starting === kind}
            disabled={!hasAnalysis || isBusy || (starting !== null && starting !== kind)}
            onClick={() => start(kind)}
          >
            {button}
          </WorkButton>
        ))}
      </div>
      {fault ? (
        <Callout tone="error" title="Nothing was started">
          {fault}
        </Callout>
      ) : null}
      {started && started.newest === reports?.[0]?.url ? (
        <p className="small" role="status">
          {started.says}
        </p>
      ) : null}
      {error && !reports ? (
        <Callout tone="error" title="The drafts could not be loaded">
          They are kept on the server. Reload the page to try again.
        </Callout>
      ) : reports === undefined ? (
        <Skeleton lines={1} />
      ) : (
        <ul className={classes.list} aria-label="Drafts">
          {reports.map(({ name, url, size, createdAt }) => (
            <li key={url}>
              <span>
                {name}{' '}
                <span className="soft small">
                  {momentOf(createdAt)}, {sizeOf(size)}
                </span>
              </span>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                aria-label={`Download ${name}`}
                onClick={() => download(url, name).catch(showDownloadFailure)}
              >
                Download
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
