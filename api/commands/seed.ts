import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { agents } from '../../bot/agents/index.ts';
import { createAccount } from '../../bot/engine/accounts/createAccount.ts';
import { hireAgent, onboardAgent } from '../../bot/engine/accounts/hireAgent.ts';
import { identify } from '../../bot/engine/accounts/identify.ts';
import { toggleIntegration } from '../../bot/engine/accounts/integrations.ts';
import { acceptInvitation, createInvitation } from '../../bot/engine/accounts/members.ts';
import { completeStep } from '../../bot/engine/accounts/onboarding.ts';
import { hashPassword } from '../../bot/engine/accounts/passwords.ts';
import { closeAgents, registerAgents } from '../../bot/engine/agents/registry.ts';
import { createJob } from '../../bot/engine/automation/jobs.ts';
import { arcAddress, openConversation } from '../../bot/engine/conversations/conversations.ts';
import { addDocument } from '../../bot/engine/documents/sandbox.ts';
import { answerInterrupt } from '../../bot/engine/interrupts/answerInterrupt.ts';
import { onAnswered } from '../../bot/engine/interrupts/applyConsequences.ts';
import { changePreferences } from '../../bot/engine/preferences/preferences.ts';
import { acceptFile } from '../../bot/engine/turns/acceptFile.ts';
import { writeFinished } from '../../bot/engine/turns/finishTurns.ts';
import { requireAgent, startWork } from '../../bot/engine/turns/startWork.ts';
import { resumeRun } from '../../bot/engine/workflows/resumeRun.ts';
import { waitForRun } from '../../bot/engine/workflows/waitForRun.ts';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import { ONBOARDING_STEPS } from '../../models/contracts/account.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { Member } from '../../models/member.ts';
import type { Who } from '../../models/policies/who.ts';
import { Run, type RunRow } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { User } from '../../models/user.ts';
import { UserAgent } from '../../models/userAgent.ts';
import { tell, withStore } from './withStore.ts';

const EMAIL = 'demo@quillmere.example';
const PASSWORD = 'demo-company-1';
const COLLEAGUE = 'ben.hughes@quillmere.example';
const MILLISECONDS = 60_000;

const SAFETY_CASE = `# Quillmere Prescribing: clinical safety case, extract

Quillmere Prescribing lets a practice write, sign and send prescriptions. It is used by prescribers and by the people
who work with them. This extract names what the hazard log covers and what it leaves to the practice.

- In scope: choosing the patient, choosing the medicine, dose and instructions, signing, sending, cancelling.
- Out of scope: dispensing, stock, and the clinical content of the medicines database.
- Left to the practice: checking who the patient is, and reading the medicine back before signing.
`;

/** Asks until there is something. @throws after a minute */
async function eventually<T>(read: () => Promise<T | null>, what: string): Promise<T> {
  const until = Date.now() + MILLISECONDS;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (Date.now() > until) throw new Error(`It took too long: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function makeCompany(): Promise<Who> {
  const user = await createAccount({
    email: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
    firstName: 'Amina',
    lastName: 'Rahman',
    emailVerified: true,
  });
  const { accountId } = (await Member.findOne({ userId: user._id }).lean()) ?? {};
  const who = accountId === undefined ? null : await identify(user._id, accountId, Date.now());
  if (!who) throw new Error('The demo company could not be made.');
  return who;
}

async function furnish(who: Who): Promise<void> {
  await changePreferences(who, {
    companyName: 'Quillmere Health',
    clinicalSafetyOfficer: {
      userId: who.userId,
      profession: 'Pharmacist',
      register: 'GPhC',
      registrationNumber: '2000001',
    },
  });
  // Nothing is mailed to an address that is made up.
  const { token } = await createInvitation(who, COLLEAGUE, ['approver'], { mailed: false });
  await acceptInvitation({ token, password: PASSWORD, firstName: 'Ben', lastName: 'Hughes' }, null);
  for (const id of ['sandbox', 'arc-chat']) await toggleIntegration(who, id, true);
  for (const agentId of ['clinical_safety', 'mdr'] as const) {
    const { tools } = await hireAgent(who, agentId);
    if (agentId === 'clinical_safety') {
      await onboardAgent(
        who,
        agentId,
        tools.map(({ id }) => id),
      );
    }
  }
  for (const step of ONBOARDING_STEPS) await completeStep(who.accountId, step);
  await addDocument(who, { fileName: 'Safety case, extract.md', bytes: new TextEncoder().encode(SAFETY_CASE) });
  await createJob(who, {
    name: 'Weekly check of the hazard log',
    actionType: 'hazard_log_analysis',
    prompt: '',
    cronExpression: '0 9 * * 1',
    enabled: true,
  });
}

/** Analyses the sample; answers and merges the first time, leaves the review open the second. */
async function work(who: Who): Promise<void> {
  const { accountId } = who;
  const conversation = await openConversation(accountId, arcAddress(who.userId));
  const { log, tickets } = await readSample();
  for (const file of [log, tickets]) await acceptFile(conversation, file);
  const hired = (await UserAgent.findOne({ accountId, agentId: 'clinical_safety' }).lean()) ?? { _id: 0 };
  const agent = await requireAgent(who, hired._id);
  const analyse = (startKey: string) =>
    startWork(who, agent, startKey, { workflow: 'hazard-analysis', goal: 'Analyse my hazard log', state: {} });
  const asked = async (runId: RunRow['_id']): Promise<number> => {
    const waits = async () => ((await Run.findOne({ _id: runId }).lean())?.status === 'waiting' ? true : null);
    await eventually(waits, 'the review of the proposals');
    const row = await Interrupt.findOne({ runId, status: 'pending' }).lean();
    if (!row) throw new Error('The run waits, and nothing is asked.');
    return row._id;
  };

  const first = await analyse('seed:1');
  await answerInterrupt(who, await asked(first._id), { approved: true }, 'arc-chat');
  await waitForRun(first._id, MILLISECONDS);
  const analysis = await HazardAnalysis.findOne({ runId: first._id }).lean();
  const merge = await startWork(who, agent, 'seed:merge', {
    workflow: 'hazard-merge',
    goal: 'Merge new lines into Hazard Log',
    state: { analysisId: analysis?._id },
  });
  await waitForRun(merge._id, MILLISECONDS);
  const second = await analyse('seed:2');
  await asked(second._id);
}

/** Makes a demo company of our own invention: people, agents, documents, a merged analysis and a review that waits. */
await withStore(async () => {
  if (await User.exists({ email: EMAIL })) {
    tell(`The demo company is there already. Log in as ${EMAIL}.`);
    return;
  }
  registerAgents(agents);
  onAnswered(resumeRun);
  const who = await makeCompany();
  await runInAccount(who.accountId, async () => {
    await furnish(who);
    await work(who);
  });
  await writeFinished();
  await closeAgents();
  tell(`The demo company is ready. Log in as ${EMAIL} or ${COLLEAGUE} with the password ${PASSWORD}`);
});
