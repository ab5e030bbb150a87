import '../../styles/wholePage.ts';
import { AllQuestions } from '../../parts/inbox/AllQuestions.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';

/** The questions of all agents, as a page. */
export function AgentInboxPage() {
  return (
    <SignInNeeded title="Agent Inbox" text="Please sign in to see what your agents ask." button="Sign In">
      {() => <AllQuestions />}
    </SignInNeeded>
  );
}
