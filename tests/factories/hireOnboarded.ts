import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import type { Person } from './person.ts';

/** A person whose company has an onboarded agent; arc-chat is on from the beginning. */
export async function hireOnboarded<P extends Person>(
  person: P,
  agentId: AgentId,
  tools: string[] = [],
): Promise<P & { agent: UserAgent }> {
  await person.browser.post('/api/user-agents/hire').send({ agentId }).expect(200);
  const { body: agent } = await person.browser.post('/api/user-agents/onboard').send({ agentId, tools }).expect(200);
  return { ...person, agent };
}
