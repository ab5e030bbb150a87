import { own, teams } from '../environments/teams.ts';
import { type Consent, connectOrganisation, type Organisation, postsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { addConversation } from '../fakes/teams/server.ts';
import type { Conversation, Posted, TeamsUser } from '../fakes/teams/tenant.ts';
import { type Asked, askIn } from './askQuestion.ts';
import { eventually } from './person.ts';
import { type Server, startServer } from './server.ts';

export type TeamsServer = Awaited<ReturnType<typeof startTeamsServer>>;

/** The process's server and its fake Teams. The deployment's own registration is that of the tenant `own`. */
export async function startTeamsServer() {
  const server: Server = await startServer();
  return {
    teams,
    server,
    own,
    connect: (consent?: Consent) => connectOrganisation(teams, server, consent),
    stop: () => server.stop(),
  };
}

/** Waits for a post that contains these words. */
export const postWith = (
  { tenant }: Pick<Organisation, 'tenant'>,
  words: RegExp,
  in_?: Conversation,
): Promise<Posted> =>
  eventually(
    async () =>
      postsOf(tenant).find(
        (post) => words.test(wordsOf(post)) && (!in_ || post.conversationId.split(';')[0] === in_.id),
      ),
    `a post like ${words}`,
  );

/** Waits for the card of a pending question. */
export const questionPost = ({ tenant }: Pick<Organisation, 'tenant'>): Promise<Posted> =>
  eventually(
    async () => postsOf(tenant).find(({ card }) => JSON.stringify(card ?? {}).includes('"verb":"refresh"')),
    'a question',
  );
export const interruptIdOf = (post: Posted) => Number(/interrupt=(\d+)/.exec(JSON.stringify(post.card))?.[1]);

/** A chat or a channel in which the app is installed. */
export async function installIn(
  { tenant, sender, ada }: Organisation,
  type: 'groupChat' | 'channel',
  others: TeamsUser[] = [],
) {
  const conversation = addConversation(tenant, type, [ada, ...others]);
  const place = { tenant, user: ada, conversation };
  await sender.install(place);
  return place;
}

/** Has the sample analysed in a conversation, and waits for the question's card. */
export async function askForReview(organisation: Organisation, place = organisation.personal): Promise<Posted> {
  const { sender } = organisation;
  await sender.message(place, 'Try it with a sample', { more: {} });
  await postWith(organisation, /sample/, place.conversation);
  await sender.message(place, 'Analyse my hazard log');
  return questionPost(organisation);
}

/** Makes an agent ask a question in the owner's personal chat, with a test workflow. */
export async function ask(
  { owner, tenant, personal }: Organisation,
  question: Asked,
  place = personal,
): Promise<Posted> {
  const { addressOf, installationKeyOf, placeOfConversation } = await import(
    '../../bot/channels/teams/platform/address.ts'
  );
  const key = installationKeyOf(tenant.appId, tenant.id);
  const { accountId, id: userId } = owner.user;
  const asking = { accountId, userId, agentId: 'clinical_safety', userAgentId: owner.agent.id };
  await askIn(addressOf(placeOfConversation(key, place.conversation.id)), question, asking);
  return postWith({ tenant }, new RegExp(question.prompt.replace('?', '\\?')));
}
