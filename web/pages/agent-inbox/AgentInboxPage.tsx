import '../../styles/mantineSignedIn.css';
import { AllQuestions } from '../../parts/inbox/AllQuestions.tsx';
import { SignInNeeded } from '../../parts/SignInNeeded.tsx';

/** Every question of every agent, as a page of its own. */
export function AgentInboxPage() {
  return (
    <SignInNeeded title="Agent Inbox" text="Please sign in to see what your agents ask." button="Sign In">
      {() => <AllQuestions />}
    </SignInNeeded>
  );
}
