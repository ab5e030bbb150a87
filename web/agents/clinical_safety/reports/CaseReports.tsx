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
import { startCaseReport, useCaseReports } from './reports.ts';

/**
 * The safety case report: a button that writes a draft, and the drafts that are kept.
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
  const [starting, setStarting] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  // What the server said, and the newest draft then: once a newer one is listed, it is no longer being written.
  const [started, setStarted] = useState<{ says: string; newest: string | undefined } | null>(null);
  const { data: reports, error } = useCaseReports(userAgentId);
  const start = async () => {
    setStarting(true);
    setFault(null);
    try {
      const newest = reports?.[0]?.url;
      setStarted({ says: await startCaseReport(userAgentId), newest });
    } catch (failure) {
      setStarted(null);
      setFault(textOf(failure, 'Nothing was written. Please try again.'));
    }
    setStarting(false);
  };
  return (
    <section className={classes.section} aria-label="Safety case report">
      <h3>Safety case report</h3>
      <p className="soft small">
        {hasAnalysis
          ? 'A draft in Word, in the order of the NHS report, with every figure from the newest analysis. What only your Clinical Safety Officer can write is marked.'
          : 'A draft in Word is written from an analysis. Analyse your hazard log first.'}
      </p>
      <div>
        <WorkButton variant="default" busy={starting} disabled={!hasAnalysis || isBusy} onClick={start}>
          Write the safety case report
        </WorkButton>
      </div>
      {fault ? (
        <Callout tone="error" title="The report was not started">
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
