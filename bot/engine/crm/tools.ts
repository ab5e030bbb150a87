import { z } from 'zod';
import type { CrmContact } from '../connectors/crmSource.ts';
import { configuredModel } from '../llm/model.ts';
import { defineTool, type Tool, type ToolResult } from '../thinking/tool.ts';
import { readPosts } from './posts.ts';
import { readCompanies, readContacts, readContactTools, readCrmTools } from './readContacts.ts';
import { saveMails } from './saveMails.ts';

/** Rows that one result names. */
const MAX_NAMED = 50;
const words = z.object({ words: z.string().max(100) });

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Rows of what a tool holds, as a result. Their words are those of outsiders. */
function rowsResult(head: string, rows: readonly string[][]): ToolResult {
  const named = rows.slice(0, MAX_NAMED).map((cells) => cells.filter(Boolean).join(', '));
  const rest =
    rows.length > named.length ? [`${rows.length - named.length} more are not named. Ask with more words.`] : [];
  return {
    text: [head, ...named.map((row) => `• ${row}`), ...rest].join('\n'),
    outside: named,
    isOfCompany: true,
    isOk: rows.length > 0,
  };
}

type Options = {
  /** Tells who opted out in Arc, by address. */
  readOptOutCheck(accountId: number): Promise<(address: string) => boolean>;
};

const isReachable =
  (isOut: (address: string) => boolean) =>
  ({ email, isOptedOut }: CrmContact) =>
    email !== '' && !isOptedOut && !isOut(email);

/** Finds people. No address is in its result, so none is in a model's prompt; who opted out is counted alone. */
const findContacts = ({ readOptOutCheck }: Options): Tool =>
  defineTool({
    name: 'find_contacts',
    description:
      'Finds people of the connected customer-relations tools by words of their name, company or role; empty words find all. Gives names, roles and companies without addresses. People who opted out are only counted.',
    input: words,
    label: 'Looking for contacts',
    effect: 'reads',
    async run({ words: asked }, { accountId }) {
      const [tools, isOut] = await Promise.all([readContactTools(accountId), readOptOutCheck(accountId)]);
      if (tools.length === 0) return { text: 'No tool with contacts is connected.', isOk: false };
      const lines: string[][] = [];
      const heads: string[] = [];
      for (const tool of tools) {
        const { rows, isAll } = await readContacts(accountId, tool, asked);
        const open = rows.filter(isReachable(isOut));
        const out = rows.length - open.length;
        heads.push(
          `${tool.name}${isAll ? '' : ' (not all were read)'}: ${counted(open.length, 'contact')} to write to, ${counted(out, 'other')} opted out or without an address.`,
        );
        lines.push(...open.map(({ name, role, company }) => [name || 'No name', role, company, tool.name]));
      }
      return rowsResult(heads.join('\n'), lines);
    },
  });

const findCompanies = defineTool({
  name: 'find_companies',
  description: 'Finds companies of the connected customer-relations tools by words of their name, domain or industry.',
  input: words,
  label: 'Looking for companies',
  effect: 'reads',
  async run({ words: asked }, { accountId }) {
    const lines: string[][] = [];
    for (const tool of await readCrmTools(accountId))
      for (const { name, domain, industry } of (await readCompanies(accountId, tool, asked)).rows)
        lines.push([name, domain, industry, tool.name]);
    return rowsResult(`${counted(lines.length, 'company', 'companies')} found.`, lines);
  },
});

/** The company's own posts. */
export const listPosts = defineTool({
  name: 'list_posts',
  description: 'Lists the newest posts of the company’s connected account, with how often each was liked and reposted.',
  input: z.object({}),
  label: 'Reading posts',
  effect: 'reads',
  async run(_input, { accountId }) {
    const read = await readPosts(accountId);
    if (!read) return { text: 'No account with posts is connected.', isOk: false };
    const rows = read.posts.map(({ text, at, likes, reposts }) => [
      at.slice(0, 10),
      `${counted(likes, 'like')}, ${counted(reposts, 'repost')}`,
      text.replace(/\s+/g, ' '),
    ]);
    const found = rowsResult(`${counted(rows.length, 'post')} of ${read.name}.`, rows);
    return { ...found, sources: read.posts.map(({ id, url }) => ({ label: `Post ${id}`, url })) };
  },
});

/** Saves a mail as a draft without recipients; its exact words are what a person approves. */
export const saveMailDraft = defineTool({
  name: 'save_mail_draft',
  description:
    'Saves one mail as a draft without recipients in the connected customer-relations tool. It sends nothing. A person approves the exact words first.',
  input: z.object({ subject: z.string().min(1).max(150), text: z.string().min(1).max(10_000) }),
  label: 'Saving a draft of a mail',
  effect: 'writes',
  argumentLabels: { subject: 'Subject', text: 'Text' },
  async run({ subject, text }, { accountId, key }) {
    const saved = await saveMails(accountId, { key, name: subject, mails: [{ subject, text }] });
    if (!saved) return { text: 'No connected tool takes drafts of mails. Nothing was saved.', isOk: false };
    return { text: saved.text, isOk: saved.isSaved, isOfCompany: true };
  },
});

/** Tools of agents that write to people: what reads, and one that saves a draft after an approval. */
export const makeCrmTools = (options: Options): readonly Tool[] => [
  findContacts(options),
  findCompanies,
  listPosts,
  saveMailDraft,
];

/** Whether a model is configured, and a tool connected that it could look into. */
export const canThinkWithCrm = async (accountId: number): Promise<boolean> =>
  configuredModel() !== null && (await readCrmTools(accountId)).length > 0;
