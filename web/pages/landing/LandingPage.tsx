import '../../styles/mantineFields.css';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { describeAgentsAllowed } from '../../../models/contracts/billing.ts';
import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { collaborate } from '../../../models/contracts/collaborate.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { LANDING_WORDS } from '../../../models/contracts/landingWords.ts';
import { EXAMPLES } from '../../agents/examples.ts';
import { call, textOf } from '../../data/call.ts';
import { showFailure } from '../../data/toasts.ts';
import { setVisitorAgent, setVisitorGoal, useVisitorTeam } from '../../data/visitorTeam.ts';
import { CandidateCard } from '../../parts/agents/CandidateCard.tsx';
import { PageFault } from '../../parts/PageFault.tsx';
import { usePageTitle } from '../../parts/shell/pageTitle.ts';
import { Collaboration } from './Collaboration.tsx';
import { GoalForm } from './GoalForm.tsx';
import classes from './LandingPage.module.css';

const SignUpPrompt = lazy(async () => ({ default: (await import('./SignUpPrompt.tsx')).SignUpPrompt }));

const candidates = AGENTS.filter((agent) => agent.priority);
const enterprise = AGENTS.filter((agent) => agent.isShownAsEnterprise);

/** "One, Two and Three" */
const listed = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

type Run =
  | { state: 'working' }
  | { state: 'done'; goal: string; answer: AnswerOf<typeof collaborate>; milliseconds: number };

/** The landing page: goal form, example results and candidate agents. */
export function LandingPage() {
  usePageTitle(LANDING_WORDS.title);
  const team = useVisitorTeam();
  const [panel, setPanel] = useState<AgentId | null>(null);
  const [prompt, setPrompt] = useState<'hired' | 'onboarded' | null>(null);
  const [run, setRun] = useState<Run | null>(null);
  const [sample, setSample] = useState<string | null>(null);
  const goalForm = useRef<HTMLDivElement>(null);

  const start = async (goal: string) => {
    setVisitorGoal(goal);
    setRun({ state: 'working' });
    const began = performance.now();
    try {
      const answer = await call(collaborate, { body: { goal } });
      setRun({ state: 'done', goal, answer, milliseconds: performance.now() - began });
    } catch (error) {
      setRun(null);
      showFailure('Collaboration Failed', textOf(error, 'Please check your connection and try again.'));
    }
  };
  const restart = () => {
    setRun(null);
    goalForm.current?.scrollIntoView({ behavior: 'smooth', block: 'center' });
    goalForm.current?.querySelector('textarea')?.focus({ preventScroll: true });
  };
  const hire = (id: AgentId) => {
    setVisitorAgent(id, 'hired');
    setPanel(id);
    setPrompt('hired');
  };
  const onboard = (id: AgentId, tools: string[]) => {
    setVisitorAgent(id, 'onboarded', tools);
    setPanel(null);
    const others = Object.entries(team.agents).filter(([other]) => other !== id);
    if (others.every(([, agent]) => agent.status === 'onboarded')) setPrompt('onboarded');
  };

  return (
    <div className={classes.landing}>
      <section className={`${classes.hero} no-print`}>
        <div className={classes.pitch}>
          <h1>{LANDING_WORDS.title}</h1>
          <p>{LANDING_WORDS.pitch}</p>
        </div>
        <div ref={goalForm} className={classes.goalPlace}>
          <GoalForm initial={team.goal} working={run?.state === 'working'} onStart={start} />
        </div>
        {EXAMPLES.map(({ id, Example }) => (
          <Example key={id} isRun={sample === id} onRun={() => setSample(id)} />
        ))}
      </section>

      {EXAMPLES.filter(({ id }) => id === sample).map(({ id, Run }) => (
        <PageFault key={id}>
          <Suspense fallback={null}>
            <Run />
          </Suspense>
        </PageFault>
      ))}

      {run?.state === 'done' ? (
        <Collaboration
          goal={run.goal}
          outputs={run.answer.agentOutputs}
          message={run.answer.message}
          milliseconds={run.milliseconds}
          onNew={restart}
        />
      ) : null}

      <section className={`${classes.team} no-print`}>
        <h2>Meet your candidates</h2>
        <p className="soft">Hire an agent, choose its tools, and put it to work on your documents.</p>
        <div className={classes.pair}>
          {candidates.map((agent) => (
            <CandidateCard
              key={agent.id}
              agent={agent}
              stage={team.agents[agent.id]?.status ?? 'candidate'}
              signedIn={false}
              panelOpen={panel === agent.id}
              onHire={() => hire(agent.id)}
              onOpenPanel={() => setPanel(agent.id)}
              onClosePanel={() => setPanel(null)}
              onOnboard={(tools) => onboard(agent.id, tools)}
              result={
                <>
                  {agent.status === 'working'
                    ? `${agent.displayName} is ready. Sign up and ${agent.displayName} starts on your goal; results appear in your chat.`
                    : `${agent.displayName} is on your team. ${agent.displayName}’s own work is in preparation.`}{' '}
                  <Link to="/auth?tab=signup">Sign up for free</Link>
                </>
              }
            />
          ))}
        </div>
        {/* The cards say “Contact Sales”, as the specification asks. Who may hire goes by the plan. */}
        <p className={`soft ${classes.hireable}`}>
          Once you have <Link to="/auth?tab=signup">signed up</Link>, you can hire each of Arc’s {AGENTS.length} agents,{' '}
          {listed(enterprise.map(({ displayName }) => displayName))} included. {describeAgentsAllowed()}
        </p>
        <div className={classes.trio}>
          {enterprise.map((agent) => (
            <CandidateCard
              key={agent.id}
              agent={agent}
              stage="candidate"
              enterprise
              signedIn={false}
              panelOpen={false}
              onHire={() => undefined}
              onOpenPanel={() => undefined}
              onClosePanel={() => undefined}
              onOnboard={() => undefined}
            />
          ))}
        </div>
      </section>

      {prompt ? (
        <Suspense fallback={null}>
          <SignUpPrompt reason={prompt} onClose={() => setPrompt(null)} />
        </Suspense>
      ) : null}
    </div>
  );
}
