import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { codeOf } from '../../data/call.ts';
import { useInterrupt } from '../../data/interrupts.ts';
import { parseId } from '../../data/parseId.ts';
import { Notice } from '../../parts/Notice.tsx';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';
import { ReviewDesk } from './ReviewDesk.tsx';

/** The review of one question's rows, as a page. */
export function ReviewPage() {
  const { id = '' } = useParams();
  return (
    <SignInNeeded title="Review" text="Please sign in to review what your agents propose." button="Sign In">
      {(user) => <NamedReview key={id} named={id} user={user} />}
    </SignInNeeded>
  );
}

function NamedReview({ named, user }: { named: string; user: SessionUser }) {
  const id = parseId(named);
  const question = useInterrupt(id);
  const inbox = (
    <Button component={Link} to="/agent-inbox" variant="default">
      Open the inbox
    </Button>
  );
  if (question.data?.view.rows)
    return <ReviewDesk interrupt={question.data} view={question.data.view.rows} user={user} />;
  const isMissing = id === null || (!question.data && codeOf(question.error) === 'not_found');
  return (
    <Page title="Review" reading>
      <PageHead title="Review" />
      {isMissing ? (
        <Notice
          title="This review can’t be shown"
          text="It does not exist, or it belongs to another company."
          action={inbox}
        />
      ) : question.data ? (
        <Notice
          title="This question has no rows"
          text="It is answered in the inbox."
          action={
            <Button component={Link} to={`/agent-inbox?interrupt=${id}`}>
              Open the question
            </Button>
          }
        />
      ) : (
        <NotLoaded failed={question.error !== undefined} retry={() => question.mutate()} />
      )}
    </Page>
  );
}
