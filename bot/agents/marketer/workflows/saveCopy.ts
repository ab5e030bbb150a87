import { marketerCard } from '../../../../models/contracts/marketer/card.ts';
import type { RunRow } from '../../../../models/run.ts';
import { preparePost } from '../../../engine/crm/posts.ts';
import { saveMails } from '../../../engine/crm/saveMails.ts';
import { saveDraft } from '../../../engine/documents/sandbox.ts';
import type { Publishable } from '../copy/publishable.ts';

type Final = { title: string; fileName: string; type: string; document: Uint8Array; publishable: Publishable };

/**
 * Takes final copy to the connected tools, as drafts: the mail without recipients, and the post as a link that a person
 * opens. Without such a tool the document goes where the company's documents are.
 * @returns sentences that say where it is; empty where it is nowhere else
 */
export async function saveCopy(
  { _id, accountId }: Pick<RunRow, '_id' | 'accountId'>,
  { title, fileName, type, document, publishable: { mail, post } }: Final,
): Promise<string[]> {
  const key = `campaign:${_id}:final`;
  const found = await Promise.all([
    mail
      ? saveMails(accountId, { key, name: title, mails: [mail] }).then((saved) => saved && `The mail: ${saved.text}`)
      : null,
    post ? preparePost(accountId, post) : null,
  ]);
  const told = found.filter((text) => text !== null);
  if (told.length > 0) return told;
  const agentName = marketerCard.displayName;
  const place = await saveDraft(accountId, { key, name: fileName, type, bytes: document, agentName });
  return place ? [place] : [];
}
