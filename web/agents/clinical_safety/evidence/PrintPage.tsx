import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { codeOf } from '../../../data/call.ts';
import { parseId } from '../../../data/parseId.ts';
import { Notice } from '../../../parts/Notice.tsx';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { ANALYSES_PATH, ANALYSIS_REFUSALS } from '../analyses/analyses.ts';
import { EvidenceDocument } from './EvidenceDocument.tsx';
import { useEvidence } from './evidence.ts';
import classes from './PrintPage.module.css';

/** The evidence pack of one analysis for printing; the browser's print dialog opens once all of it is drawn. */
export function PrintPage({ params }: { params: Readonly<Record<string, string | undefined>> }) {
  const id = parseId(params.id);
  const { data, error, mutate } = useEvidence(id);
  const isDrawn = Boolean(data);
  useEffect(() => {
    if (!isDrawn) return;
    let isGone = false;
    void document.fonts.ready.then(() => requestAnimationFrame(() => (isGone ? undefined : window.print())));
    return () => {
      isGone = true;
    };
  }, [isDrawn]);
  if (data) {
    return (
      <Page title={`Evidence of analysis ${data.content.analysis.id}, ${data.content.analysis.logFileName}`}>
        <div className={`${classes.bar} no-print`}>
          <Link to={analysisPath(data.content.analysis.id)}>Back to the analysis</Link>
          <Button onClick={() => window.print()}>Print or save as PDF</Button>
        </div>
        <EvidenceDocument {...data} />
      </Page>
    );
  }
  const why = id === null ? 'not_found' : codeOf(error);
  const refusal = REFUSALS[why ?? ''];
  return (
    <Page title="Evidence">
      {refusal ? (
        <Notice
          level={1}
          {...refusal}
          action={
            <Button component={Link} to={`/${ANALYSES_PATH}`}>
              See your analyses
            </Button>
          }
        />
      ) : (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      )}
    </Page>
  );
}

const REFUSALS: Record<string, { title: string; text: string }> = {
  ...ANALYSIS_REFUSALS,
  no_result: {
    title: 'There is nothing to print yet',
    text: 'This analysis has no result. Open it once it is complete.',
  },
};
