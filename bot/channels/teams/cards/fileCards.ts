import type { Attachment as KeptFile } from '../../../../models/contracts/chat.ts';
import { baseUrl } from '../../../../models/env.ts';
import type { Activity, Attachment } from '../platform/activity.ts';
import { attach, card, openUrl, textBlock } from './card.ts';
import { plain } from './text.ts';

/** The context that Teams returns with the answer to a file offer. */
export type FileContext = { messageId: string; name: string };

/** Offers result files: in a personal chat one by one for the person's OneDrive; elsewhere as links. */
export function offerFiles(messageId: string, files: readonly KeptFile[], isPersonal: boolean): Activity[] {
  if (files.length === 0) return [];
  if (isPersonal) {
    return files.map((file) => ({
      type: 'message',
      summary: file.name,
      attachments: [consentCard(file, { messageId, name: file.name })],
    }));
  }
  const links = files.slice(0, 6).map(({ name, url }) => openUrl(name, new URL(url, baseUrl()).href));
  return [{ type: 'message', summary: 'Files', attachments: [attach(card([textBlock('Files in Arc')], links))] }];
}

const consentCard = ({ name, size }: KeptFile, context: FileContext): Attachment => ({
  contentType: 'application/vnd.microsoft.teams.card.file.consent',
  name,
  content: {
    description: 'A result from Arc. Accept to keep it in your OneDrive.',
    sizeInBytes: size,
    acceptContext: context,
    declineContext: context,
  },
});

/** A file that was uploaded to the person's OneDrive. */
export const uploadedFile = (it: {
  contentUrl: string;
  name: string;
  uniqueId: string;
  fileType: string;
}): Activity => ({
  type: 'message',
  summary: it.name,
  attachments: [
    {
      contentType: 'application/vnd.microsoft.teams.card.file.info',
      contentUrl: it.contentUrl,
      name: it.name,
      content: { uniqueId: it.uniqueId, fileType: it.fileType },
    },
  ],
});

/** The outcome of a file offer. */
export const fileOutcome = (name: string, text: string): Activity => ({
  type: 'message',
  summary: name,
  attachments: [attach(card([textBlock(plain(text))]))],
});
