import type { Recipient } from '../../models/contracts/auth.ts';
import { REMOTE_CHANNELS, type RemoteChannel } from '../../models/contracts/channels.ts';

type Region = 'none' | 'uk' | 'outside-uk-accepted';
type Facts = { modelRegion: Region; recipients: readonly Recipient[] };

const TRAINED = 'is never used to train third-party AI models.';
const and = new Intl.ListFormat('en-GB', { type: 'conjunction' });

const isChannel = (kind: Recipient['kind']): kind is RemoteChannel => REMOTE_CHANNELS.some((id) => id === kind);

/** Display names of the recipients outside this server, except language models. */
function outsideOf(recipients: readonly Recipient[]): string[] {
  const channels = recipients.filter(({ kind }) => isChannel(kind)).map(({ name }) => name);
  const mail = recipients.filter(({ kind }) => kind === 'mail').map(({ name }) => `the mail server ${name}`);
  const tools = recipients.some(({ kind }) => kind === 'tool-servers') ? ['MCP servers that your company allows'] : [];
  const connected = recipients.filter(({ kind }) => kind === 'connector').map(({ name }) => name);
  return [...channels, ...mail, ...connected, ...tools];
}

/** The footer's sentence on data, for the configuration of this deployment. */
export function footerText({ modelRegion, recipients }: Facts): string {
  const outside = outsideOf(recipients);
  if (modelRegion === 'outside-uk-accepted') {
    const also = outside.length > 0 ? ` Data also goes to ${and.format(outside)}.` : '';
    return `Language models of this deployment run outside the UK, as its administrator has accepted.${also} Your company’s data ${TRAINED}`;
  }
  if (outside.length === 0) return `Your company’s data never leaves the UK and ${TRAINED}`;
  return `No language model outside the UK receives your company’s data. It may go to ${and.format(outside)}, as your company allows. It ${TRAINED}`;
}

const PURPOSES: Record<Exclude<Recipient['kind'], RemoteChannel>, (name: string) => string> = {
  hosting: (name) =>
    `Hosting: the server at ${name} and its data store, run by the administrator of this deployment. Ask them where it is located.`,
  model: (name) => `Language model: ${name}. It receives what the task at hand needs.`,
  'tool-servers': (name) =>
    `${name} that your company’s owner allows: the arguments with which an agent uses their tools. They may be outside the UK.`,
  'tool-servers-uk': (name) =>
    `${name} that your company’s owner allows: the arguments with which an agent uses their tools. The owner declares that each is in the UK.`,
  connector: (name) =>
    `${name}, once your company’s owner connects it: what Arc asks it for, and the drafts that are saved there. ${name} may keep it outside the UK.`,
  mail: (name) => `Mail: the server ${name}. It receives addresses, invitations and codes.`,
};

/** One sentence per recipient of this deployment, for the privacy policy. */
export const recipientTexts = (recipients: readonly Recipient[]): string[] =>
  recipients.map(({ kind, name }) =>
    isChannel(kind)
      ? `${name}: what people write to Arc there, and what your company consents to send. ${name} may keep it outside the UK.`
      : PURPOSES[kind](name),
  );

/** The legal texts' sentence on transfers to other countries. */
export function transferText({ modelRegion, recipients }: Facts): string {
  const outside = [...(modelRegion === 'outside-uk-accepted' ? ['the language model'] : []), ...outsideOf(recipients)];
  return outside.length === 0
    ? 'This deployment sends your data to no service outside the United Kingdom.'
    : `This deployment can send data to ${and.format(outside)}, which may keep it outside the United Kingdom.`;
}
