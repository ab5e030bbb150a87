import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { env } from '../../../models/env.ts';
import { clientOf, installationOf } from './installations.ts';

/** How long Slack may take to give a file. */
const FETCH_MILLISECONDS = 30_000;

const AGAIN_SECONDS = 15;

/** Slack's own hosts, and the one that stands for it: nobody else is shown the token. */
export function isSlackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, origin, protocol } = new URL(address);
  return origin === new URL(env.SLACK_API_URL).origin || (protocol === 'https:' && hostname.endsWith('.slack.com'));
}

/**
 * Fetches a file that somebody put into Slack.
 * @throws AppError too_large before anything is fetched; Error where Slack gives its sign-in page in place of the file
 */
export async function fetchFile(
  conversation: ConversationRow,
  { fileId }: { fileId: string },
): Promise<{ fileName: string; bytes: Uint8Array }> {
  const installation = await installationOf(conversation);
  const { file } = await clientOf(installation).files.info({ file: fileId });
  if (!file?.url_private_download) throw new Error('Slack named no address for the file.');
  if (!isSlackAddress(file.url_private_download)) throw new Error('The file is kept elsewhere: the token stays here.');
  if ((file.size ?? 0) > LIMITS.uploadBytes) throw new AppError('too_large');
  const answer = await fetch(file.url_private_download, {
    headers: { Authorization: `Bearer ${installation.tokens.botToken}` },
    signal: AbortSignal.timeout(FETCH_MILLISECONDS),
    // Elsewhere the token has no business: an answer that leads on is no file.
    redirect: 'manual',
  }).catch((cause: unknown) => {
    throw Object.assign(new Error('Slack did not give the file.', { cause }), { retryAfter: AGAIN_SECONDS });
  });
  if (answer.status >= 500)
    throw Object.assign(new Error(`Slack answered ${answer.status} for the file.`), { retryAfter: AGAIN_SECONDS });
  if (!answer.ok) throw new Error(`Slack answered ${answer.status} for the file.`);
  const fileName = file.name ?? 'upload';
  // Whoever may not have a file is shown the sign-in page, with 200.
  if (answer.headers.get('content-type')?.startsWith('text/html') && !/\.html?$/i.test(fileName))
    throw new Error('Slack gave its sign-in page in place of the file.');
  return { fileName, bytes: await readAtMost(answer, LIMITS.uploadBytes) };
}

async function readAtMost(answer: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.byteLength;
    // What was announced as small need not be.
    if (length > most) throw new AppError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
