import { createHash } from 'node:crypto';
import { baseUrl } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import type { CrmMail } from '../connectors/crmSource.ts';
import { rememberSaved, savedLink } from '../connectors/savedDrafts.ts';
import { readChoice } from '../connectors/scope.ts';
import { type CrmTool, readCrmTools } from './readContacts.ts';

/** Mails to be saved as a draft. */
type Mails = {
  /** Idempotency key. */
  key: string;
  name: string;
  mails: readonly CrmMail[];
  /** Id of the tool that is to take them; the first that does where absent, or where that one takes none. */
  preferred?: string | undefined;
};

/** What became of a draft: a sentence for people, with the link where it was saved. */
type Saved = { isSaved: boolean; text: string };

const takesMails = ({ source: { mails }, values }: CrmTool): boolean =>
  mails !== undefined && values !== null && (mails.isChosen?.(values) ?? true);

/** The connected tool that takes drafts of mails; null where none does. */
async function findMailTool(accountId: number, preferred?: string): Promise<CrmTool | null> {
  const tools = (await readCrmTools(accountId)).filter(takesMails);
  return tools.find(({ id }) => id === preferred) ?? tools[0] ?? null;
}

/**
 * Saves mails as a draft in a connected tool, once for each key. Nothing is sent. A failure is logged and not thrown: the
 * mails are kept in Arc anyway.
 * @returns null where no connected tool takes drafts of mails
 */
export async function saveMails(accountId: number, { key, name, mails, preferred }: Mails): Promise<Saved | null> {
  const tool = await findMailTool(accountId, preferred);
  const choice = tool && (await readChoice(accountId, tool.id));
  if (!tool?.source.mails || !choice) return null;
  const { save, noun } = tool.source.mails;
  const digest = createHash('sha256').update(`${accountId}:${key}`).digest('hex').slice(0, 8);
  const told = (url: string): Saved => ({
    isSaved: true,
    text: `Saved in ${tool.name} as ${noun}, not sent: ${url}`,
  });
  const known = savedLink(choice, digest);
  if (known) return told(known);
  try {
    const draft = { key: digest, name, mails, link: `${baseUrl()}/workspace?draft=${digest}` };
    const url = await tool.connection.use(accountId, (access) => save(access, choice.values, draft));
    await rememberSaved(choice, digest, url);
    return told(url);
  } catch (error) {
    logger.warn({ account: accountId, connector: tool.id, what: (error as Error).message }, 'mails were not saved');
    return {
      isSaved: false,
      text: `${tool.name} did not take the draft. It is in Arc alone; check what Arc may write in ${tool.name}.`,
    };
  }
}
