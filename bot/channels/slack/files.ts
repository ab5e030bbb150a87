import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { env } from '../../../models/env.ts';
import { clientOf, installationOf } from './installations.ts';

const FETCH_TIMEOUT_MS = 30_000;
const RETRY_AFTER_SECONDS = 15;

/** Whether an address is Slack's, or the configured API's. The token is sent nowhere else. */
export function isSlackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, origin, protocol } = new URL(address);
  return origin === new URL(env.SLACK_API_URL).origin || (protocol === 'https:' && hostname.endsWith('.slack.com'));
}

/**
 * Downloads a file that somebody posted in Slack.
 * @throws AppError too_large; Error where Slack returns its sign-in page instead of the file
 */
export async function fetchFile(
  conversation: ConversationRow,
  { fileId }: { fileId: string },
): Promise<{ fileName: string; bytes: Uint8Array }> {
  const installation = await installationOf(conversation);
  const { file } = await clientOf(installation).files.info({ file: fileId });
  if (!file?.url_private_download) throw new Error('Slack gave no address for the file.');
  if (!isSlackAddress(file.url_private_download))
    throw new Error('The file is not on a Slack host, so it was not requested with the token.');
  if ((file.size ?? 0) > LIMITS.uploadBytes) throw new AppError('too_large');
  const answer = await fetch(file.url_private_download, {
    headers: { Authorization: `Bearer ${installation.tokens.botToken}` },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    // A redirect could take the token to another host.
    redirect: 'manual',
  }).catch((cause: unknown) => {
    throw Object.assign(new Error('Slack did not give the file.', { cause }), { retryAfter: RETRY_AFTER_SECONDS });
  });
  if (answer.status >= 500)
    throw Object.assign(new Error(`Slack answered ${answer.status} for the file.`), {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  if (!answer.ok) throw new Error(`Slack answered ${answer.status} for the file.`);
  const fileName = file.name ?? 'upload';
  // Without access to the file, Slack returns its sign-in page with status 200.
  if (answer.headers.get('content-type')?.startsWith('text/html') && !/\.html?$/i.test(fileName))
    throw new Error('Slack returned its sign-in page instead of the file.');
  return { fileName, bytes: await readAtMost(answer, LIMITS.uploadBytes) };
}

async function readAtMost(answer: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.byteLength;
    // The announced size need not be true.
    if (length > most) throw new AppError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
