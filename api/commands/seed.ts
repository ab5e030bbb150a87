import { agents } from '../../bot/agents/index.ts';
import { createAccount } from '../../bot/engine/accounts/createAccount.ts';
import { hireAgent, onboardAgent } from '../../bot/engine/accounts/hireAgent.ts';
import { identify } from '../../bot/engine/accounts/identify.ts';
import { toggleIntegration } from '../../bot/engine/accounts/integrations.ts';
import { acceptInvitation, createInvitation } from '../../bot/engine/accounts/invitations.ts';
import { completeStep } from '../../bot/engine/accounts/onboarding.ts';
import { hashPassword } from '../../bot/engine/accounts/passwords.ts';
import type { Agent } from '../../bot/engine/agents/agent.ts';
import { closeAgents, registerAgents } from '../../bot/engine/agents/registry.ts';
import { onAnswered } from '../../bot/engine/interrupts/applyConsequences.ts';
import { changePreferences } from '../../bot/engine/preferences/preferences.ts';
import { writeFinished } from '../../bot/engine/turns/finishTurns.ts';
import { resumeRun } from '../../bot/engine/workflows/resumeRun.ts';
import { ONBOARDING_STEPS } from '../../models/contracts/account.ts';
import { isWorking } from '../../models/contracts/catalogue.ts';
import { Member } from '../../models/member.ts';
import type { Who } from '../../models/policies/who.ts';
import { runInAccount } from '../../models/store/context.ts';
import { User } from '../../models/user.ts';
import { UserAgent } from '../../models/userAgent.ts';
import { print, withStore } from './withStore.ts';

const EMAIL = 'demo@quillmere.example';
const PASSWORD = 'demo-company-1';
/** The agents that the demo company hires; both work. */
const HIRED = ['clinical_safety', 'mdr'] as const;
const COLLEAGUE = 'ben.hughes@quillmere.example';

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
  if (!who) throw new Error('The demo company could not be created.');
  return who;
}

async function setUpCompany(who: Who): Promise<void> {
  await changePreferences(who, {
    companyName: 'Quillmere Health',
    clinicalSafetyOfficer: {
      userId: who.userId,
      profession: 'Pharmacist',
      register: 'GPhC',
      registrationNumber: '2000001',
    },
  });
  // The address is made up, so nothing is mailed to it.
  const { token } = await createInvitation(who, COLLEAGUE, ['approver'], { mailed: false });
  await acceptInvitation({ token, password: PASSWORD, firstName: 'Ben', lastName: 'Hughes' }, null);
  for (const id of ['sandbox', 'arc-chat']) await toggleIntegration(who, id, true);
  for (const agentId of HIRED) {
    const { tools } = await hireAgent(who, agentId);
    if (!isWorking(agentId)) continue;
    await onboardAgent(
      who,
      agentId,
      tools.map(({ id }) => id),
    );
  }
  for (const step of ONBOARDING_STEPS) await completeStep(who.accountId, step);
}

/** Runs an agent's demonstration, where it is onboarded and has one. */
async function runDemonstration(who: Who, { id, demonstrate }: Agent): Promise<void> {
  const hired = await UserAgent.findOne({ accountId: who.accountId, agentId: id, status: 'onboarded' }).lean();
  if (hired) await demonstrate?.(who, hired);
}

/** Creates a fictional demo company: people, agents, documents, a merged analysis and an open review. */
await withStore(async () => {
  if (await User.exists({ email: EMAIL })) {
    print(`The demo company is there already. Log in as ${EMAIL}.`);
    return;
  }
  registerAgents(agents);
  onAnswered(resumeRun);
  const who = await makeCompany();
  await runInAccount(who.accountId, async () => {
    await setUpCompany(who);
    for (const agent of agents) await runDemonstration(who, agent);
  });
  await writeFinished();
  await closeAgents();
  print(`The demo company is ready. Log in as ${EMAIL} or ${COLLEAGUE} with the password ${PASSWORD}`);
});
