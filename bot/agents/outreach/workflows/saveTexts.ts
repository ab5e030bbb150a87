import { outreachCard } from '../../../../models/contracts/outreach/card.ts';
import type { RunRow } from '../../../../models/run.ts';
import type { CrmMail } from '../../../engine/connectors/crmSource.ts';
import { saveMails } from '../../../engine/crm/saveMails.ts';
import { saveDraft } from '../../../engine/documents/sandbox.ts';
import { nameOfTitle } from '../../../engine/files/nameOfTitle.ts';
import { composeDraft, type Texts } from '../drafts/composeDrafts.ts';

/** The mails as they are for everybody: without a name, a company or a first line of one person. */
export function sharedMails(texts: Texts): CrmMail[] {
  const nobody = { row: 0, address: '', greeting: null, name: '', company: '', role: '', opening: '' };
  const { subject, first, second, third } = composeDraft(nobody, texts);
  const follow = `Following up: ${subject}`;
  return [
    { subject, text: first },
    { subject: follow, text: second },
    { subject: follow, text: third },
  ];
}

const asMarkdown = (mails: readonly CrmMail[]): string =>
  mails.map(({ subject, text }, at) => `## Mail ${at + 1}: ${subject}\n\n${text}`).join('\n\n');

/**
 * Saves the mails as a draft without recipients: in the connected tool of customer relations, else where the company's
 * documents are. Names and edits of single mails are in the files alone.
 * @returns a sentence that says where it is; null where it is nowhere
 */
export async function saveTexts(
  { _id, accountId }: Pick<RunRow, '_id' | 'accountId'>,
  texts: Texts,
  preferred: string | undefined,
): Promise<string | null> {
  const mails = sharedMails(texts);
  const name = mails[0]?.subject ?? '';
  const saved = await saveMails(accountId, { key: `outreach:${_id}`, name, mails, preferred });
  if (saved) return `The texts without names: ${saved.text}`;
  return saveDraft(accountId, {
    key: `outreach:${_id}:texts`,
    name: `${nameOfTitle(name, 'Outreach')}, mails.md`,
    type: 'text/markdown',
    bytes: Buffer.from(asMarkdown(mails)),
    agentName: outreachCard.displayName,
  });
}
