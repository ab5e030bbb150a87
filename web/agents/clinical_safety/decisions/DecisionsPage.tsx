import { Button } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router-dom';
import { MAX_DECISIONS_SHOWN } from '../../../../models/contracts/clinical_safety/matchDecisions.ts';
import { Callout, Notice } from '../../../parts/Notice.tsx';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../../parts/Page.tsx';
import { DecisionsTable } from './DecisionsTable.tsx';
import { DECISIONS_TITLE, useMatchDecisions } from './decisions.ts';

/** What people decided on tickets and hazards, and how to take that back. */
export function DecisionsPage() {
  const { data, error, mutate } = useMatchDecisions();
  const [query] = useSearchParams();
  return (
    <Page title={DECISIONS_TITLE}>
      <PageHead
        title={DECISIONS_TITLE}
        subtitle="A hazard covers a ticket once a person has said so. The decision holds while both texts stay the same."
      />
      {data ? (
        data.decisions.length === 0 ? (
          <div className="card">
            <Notice
              icon={<IconChecklist size={20} />}
              title="Nothing was decided yet"
              text="Answers to a review of possible matches appear here, where you can take them back."
              action={
                <Button component={Link} to="/workspace" variant="light">
                  Go to the workspace
                </Button>
              }
            />
          </div>
        ) : (
          <>
            {data.mayChange ? null : (
              <Callout tone="plain">Only those who may answer clinical questions can take a decision back.</Callout>
            )}
            <DecisionsTable decisions={data.decisions} mayChange={data.mayChange} words={query.get('words') ?? ''} />
            {data.decisions.length === MAX_DECISIONS_SHOWN ? (
              <p className="soft small">The latest {MAX_DECISIONS_SHOWN.toLocaleString('en-GB')} are listed.</p>
            ) : null}
          </>
        )
      ) : (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      )}
    </Page>
  );
}
