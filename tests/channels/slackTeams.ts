import { afterAll, beforeAll } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { slack } from '../environments/slack.ts';
import type { Person } from '../factories/person.ts';
import type { Server } from '../factories/server.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';
import type { Posted, Workspace } from '../fakes/slack/methods.ts';
import { makeSender, type SlackSender } from '../fakes/slack/sender.ts';
import type { FakeSlack } from '../fakes/slack/server.ts';

type Parts = typeof import('../factories/parts.ts');
type Factories = typeof import('../factories/person.ts');

export type Team = { workspace: Workspace; owner: Person & { agent: { id: number } } };
export type Consent = 'full' | 'redacted' | 'reference-only';

/** The process's server and its fake Slack; separate workspaces keep test files apart. */
export type SlackTeams = {
  slack: FakeSlack;
  server: Server;
  sender: SlackSender;
  parts: Parts;
  factories: Factories;
  /** An account with Slack connected. U1 is its owner, by verified e-mail; U9 is a stranger. */
  connect(consent?: Consent): Promise<Team>;
  /** Goes through Slack's authorize page for the workspace added last. @returns the address that the browser ends at */
  authorize(owner: Person): Promise<string>;
};

let count = 0;

/** Starts and stops with the file that calls it. */
export function openSlackTeams(): SlackTeams {
  const it = {} as SlackTeams;
  beforeAll(async () => {
    it.slack = slack;
    const { startServer } = await import('../factories/server.ts');
    it.parts = await import('../factories/parts.ts');
    it.factories = await import('../factories/person.ts');
    it.server = await startServer();
    it.sender = makeSender(
      () => it.server.url,
      () => `${it.slack.url}/response`,
    );
    it.authorize = async (owner) => {
      const begun = await owner.browser.get('/api/oauth/slack/authorize?from=/%23integrations').expect(302);
      const vendor = await fetch(String(begun.headers.location), { redirect: 'manual' });
      const back = new URL(String(vendor.headers.get('location')));
      const done = await owner.browser.get(`${back.pathname}${back.search}`).expect(302);
      return String(done.headers.location);
    };
    it.connect = async (consent = 'full') => {
      count += 1;
      const workspace = it.slack.addWorkspace(`T${count}`);
      const owner = await it.factories.signUpReady(it.server);
      await verify(owner);
      const end = await it.authorize(owner);
      if (!end.includes('oauth=success&service=slack')) throw new Error(`Slack was not connected: ${end}`);
      await owner.browser
        .put('/api/preferences')
        .send({ channelConsent: { slack: consent, teams: 'reference-only' } })
        .expect(200);
      workspace.users.set('U1', { id: 'U1', email: owner.email, name: 'Ada in Slack' });
      workspace.users.set('U9', { id: 'U9', email: 'stranger@example.com', name: 'Stranger' });
      return { workspace, owner };
    };
  });
  afterAll(() => it.server.stop());
  return it;
}

/** Verifies an e-mail, as a mailed code does. */
export async function verify(person: Person): Promise<void> {
  const { User } = await import('../../models/user.ts');
  await User.updateOne({ _id: person.user.id }, { $set: { emailVerified: true } });
}

/** Adds a second member of the team, with this id in the workspace. */
export async function join(it: SlackTeams, { workspace, owner }: Team, id: string, roles: string[]): Promise<Person> {
  const person = await it.factories.signUp(it.server, { firstName: 'Ben', lastName: 'Ode' });
  await verify(person);
  const { Member } = await import('../../models/member.ts');
  await Member.create({
    accountId: owner.user.accountId,
    userId: person.user.id,
    roles,
    createdAt: new Date(),
  } as never);
  workspace.users.set(id, { id, email: person.email, name: 'Ben in Slack' });
  return person;
}

/** The app's posts in a workspace. */
export const posted = (workspace: Workspace) => [...workspace.messages.values()];
export const hasButtons = ({ blocks }: Posted) => JSON.stringify(blocks).includes('"type":"button"');
/** The question id of a message. */
export const interruptIdOf = (message: Posted) => String(/"value":"(\d+):/.exec(JSON.stringify(message.blocks))?.[1]);

/** The values of a message's buttons. */
export const pressedOf = (message: Posted) =>
  String(/"value":"(\d+:[a-z-]+)"/.exec(JSON.stringify(message.blocks))?.[1]);

/** Common actions of tests in a workspace. */
export function actionsIn(it: SlackTeams) {
  const eventually = <T>(read: () => T | null | undefined | false, what: string, milliseconds?: number) =>
    it.factories.eventually(async () => read(), what, milliseconds);
  const postWith = (workspace: Workspace, words: RegExp) =>
    eventually(() => posted(workspace).find(({ text }) => words.test(text)), String(words));
  return {
    eventually,
    postWith,
    questionsOf: async ({ owner }: Team) =>
      withoutMatches((await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body as Interrupt[]),
    modalOf: ({ workspace }: Team) => eventually(() => workspace.views.at(-1), 'a modal'),
    /** What the app told one person privately, over Slack's response address. */
    toldAlone: (workspace: Workspace, words: RegExp) =>
      eventually(
        () => it.slack.callsOf('response_url', workspace).find(({ body }) => words.test(String(body.text)))?.body,
        `a private word like ${words}`,
      ),
    /** Has the sample analysed in the direct messages, and waits for the question's message. */
    async askForReview({ workspace }: Team): Promise<Posted> {
      await it.sender.message(workspace, 'U1', 'D1', 'Try it with a sample');
      await postWith(workspace, /sample/);
      await it.sender.message(workspace, 'U1', 'D1', 'Analyse my hazard log');
      await postWith(workspace, /Analysis complete/);
      return eventually(
        () => posted(workspace).find((message) => JSON.stringify(message.blocks).includes('answer:review')),
        'the question',
      );
    },
  };
}
