import { expect, type Page } from 'playwright/test';
import { startJira } from '../fakes/jira.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { startSlack } from '../fakes/slack/server.ts';
import { startSmtp } from '../fakes/smtp.ts';
import { startStripe } from '../fakes/stripe/index.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { startTeams } from '../fakes/teams/server.ts';
import { startOwnServer } from './ownServer.ts';
import { newEmail, PASSWORD } from './person.ts';
import { openProviders } from './providers.ts';

export type Channels = Awaited<ReturnType<typeof openChannels>>;

/** A server that sends mail, talks in Slack and Teams, can be connected to every tool and sells plans by Stripe, with fakes of all. */
export async function openChannels() {
  const [slack, teams, smtp, jira, stripe, providers] = await Promise.all([
    startSlack(),
    startTeams(),
    startSmtp(),
    startJira(),
    startStripe(),
    openProviders(),
  ]);
  /** The organisation of the server's own registration in Teams. */
  const own = teams.addTenant();
  const { url, stop } = await startOwnServer({
    ...slackEnvironment(slack.apiUrl),
    ...teamsEnvironment(teams, own),
    ...stripe.environment,
    ...providers.environment,
    SMTP_URL: smtp.url,
    ...{ JIRA_CLIENT_ID: jira.client.id, JIRA_CLIENT_SECRET: jira.client.secret, JIRA_BASE_URL: jira.url },
  });
  jira.client.redirectUris.push(`${url}/api/oauth/jira/callback`);
  jira.behaviour.showsPage = true;
  providers.admit(url);

  /** Waits for a mail to an address that contains this pattern. @returns the match */
  async function mailTo(email: string, pattern: RegExp): Promise<string> {
    let found = '';
    await expect
      .poll(
        () => {
          const mail = smtp.mails.findLast(({ to, text }) => to === email && pattern.test(text));
          found = pattern.exec(mail?.text ?? '')?.[1] ?? '';
          return found;
        },
        { intervals: [20, 50, 100] },
      )
      .not.toBe('');
    return found;
  }
  const codeFor = (email: string) => mailTo(email, /\b(\d{6})\b/);

  return {
    slack,
    teams,
    smtp,
    jira,
    stripe,
    own,
    url,
    mailTo,
    codeFor,
    /** Someone whose address is verified with a mailed code, with Clara onboarded. */
    async arriveVerified(page: Page): Promise<string> {
      const email = newEmail();
      const post = async (path: string, data: object) => {
        const answer = await page.request.post(url + path, { data });
        expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
      };
      const person = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Okafor' };
      await post('/api/auth/send-signup-confirmation', person);
      await post('/api/auth/verify-signup-confirmation', { ...person, code: await codeFor(email) });
      await post('/api/user-agents/hire', { agentId: 'clinical_safety' });
      await post('/api/user-agents/onboard', { agentId: 'clinical_safety', tools: ['hazardanalysis'] });
      for (const step of ['preferences', 'team', 'integrations', 'billing'])
        await post('/api/user/onboarding/update', { step, completed: true });
      return email;
    },
    async close(): Promise<void> {
      await stop();
      await Promise.all([slack.stop(), teams.stop(), smtp.stop(), jira.stop(), stripe.stop(), providers.stop()]);
    },
  };
}
