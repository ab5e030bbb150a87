import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import { isUploadType } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { env } from '../../../../models/env.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { kindOf, type Received } from '../platform/activity.ts';
import { readRetryAfter, refusalFor } from '../platform/refusal.ts';

/** The content type of a file that was dropped into a personal chat. */
const DOWNLOAD_TYPE = 'application/vnd.microsoft.teams.file.download.info';
/** Content types of attachments that are not files. */
const NOT_A_FILE = /^(text\/html|application\/vnd\.microsoft\.card\.|application\/vnd\.microsoft\.teams\.card\.)/;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const TIMEOUT_MS = 30_000;
/** The size of an upload's range; Microsoft requires a multiple of 320 KiB. */
const RANGE_BYTES = 16 * 320 * 1024;
/** The host already has the range; its progress has to be read (docs/platforms.md). */
const RANGE_ALREADY_STORED = 416;
/** Used for an upload that is complete but was not saved as a file, e.g. because the name is taken. */
const UPLOAD_NOT_SAVED = 409;

/** The id of a file in a conversation where Teams gives apps no files. */
const NOT_GIVEN = '';

/** The files of a message, including those that can't be downloaded, so that the reply can say so. */
export function attachedFiles(activity: Received): { fileId: string; name: string }[] {
  const isPersonal = kindOf(activity) === 'personal';
  return (activity.attachments ?? [])
    .filter(({ contentType }) => typeof contentType === 'string' && !NOT_A_FILE.test(contentType))
    .map(({ contentType, content, name }) => {
      const address = (content as { downloadUrl?: unknown } | null | undefined)?.downloadUrl;
      const isDownload = isPersonal && contentType === DOWNLOAD_TYPE && typeof address === 'string';
      return {
        fileId: isDownload ? address : NOT_GIVEN,
        name: String(name ?? 'upload').replace(/^.*[\\/]/, '') || 'upload',
      };
    });
}

/** Whether an address is on one of Teams' file hosts. Arc downloads from and uploads to no other. */
export function isFileAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username } = new URL(address);
  if (username !== '') return false;
  const isAllowedHost = env.BOT_FILE_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isAllowedHost && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname)));
}

const unavailable = (text: string) => new AppError('not_available', { text });

/**
 * Downloads a file that was dropped into a personal chat.
 * @throws AppError not_available with what to do, too_large, invalid_file_type; TeamsRefusal where the host refuses
 */
export async function fetchTeamsFile({ fileId, name }: { fileId: string; name: string }) {
  if (fileId === NOT_GIVEN) {
    throw unavailable(
      `Teams doesn’t give apps the files of channels and group chats. Drop the file into our personal chat, or upload it in Arc: ${linkToChat()}`,
    );
  }
  if (!isFileAddress(fileId))
    throw unavailable('The file is not on one of Teams’ file hosts, so I did not download it.');
  if (!isUploadType(name)) throw new AppError('invalid_file_type');
  const answer = await fetch(fileId, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  // With a Retry-After the refusal is temporary, and the turn is retried.
  if (!answer.ok || !answer.body)
    throw refusalFor(answer.status, readRetryAfter(answer.headers.get('retry-after')), { code: 'FileRefused' });
  if (Number(answer.headers.get('content-length') ?? 0) > LIMITS.uploadBytes) {
    await answer.body.cancel();
    throw new AppError('too_large');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The size in the header need not be true.
  for await (const chunk of answer.body) {
    size += chunk.byteLength;
    if (size > LIMITS.uploadBytes) throw new AppError('too_large');
    chunks.push(chunk);
  }
  return { fileName: name, bytes: new Uint8Array(Buffer.concat(chunks)) };
}

/** The code marks a failed upload, so that it is never taken for a conversation that is gone. */
const uploadRefusal = (answer: Response) =>
  refusalFor(answer.status, readRetryAfter(answer.headers.get('retry-after')), { code: 'UploadRefused' });

/**
 * Uploads a file range by range to the address that Teams gave after the person's consent.
 * @param isRetry true where an earlier attempt may have uploaded a part: then the upload continues where the host says
 * @throws AppError not_available for an address that is not one of Teams' file hosts, TeamsRefusal
 */
export async function putTeamsFile(address: string, bytes: Uint8Array, isRetry: boolean): Promise<void> {
  if (!isFileAddress(address))
    throw unavailable('The address is not on one of Teams’ file hosts, so nothing was uploaded.');
  let from = isRetry ? await readProgress(address) : 0;
  while (from < bytes.length) {
    const part = bytes.subarray(from, from + RANGE_BYTES);
    const answer = await fetch(address, {
      method: 'PUT',
      // A redirect could lead to a host that is not one of Teams'.
      redirect: 'manual',
      headers: { 'Content-Range': `bytes ${from}-${from + part.length - 1}/${bytes.length}` },
      body: part as never,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok && answer.status !== RANGE_ALREADY_STORED) throw uploadRefusal(answer);
    const next = answer.ok ? from + part.length : await readProgress(address);
    // Without progress this would loop for ever.
    if (next <= from) throw uploadRefusal(answer);
    from = next;
  }
}

const uploadStatus = z.object({ nextExpectedRanges: z.array(z.string()).default([]) });

/**
 * The first byte that the host still needs.
 * @throws TeamsRefusal that is permanent where this can't be known: the address of a finished upload no longer exists,
 * and a complete upload whose address still exists was not saved as a file
 */
async function readProgress(address: string): Promise<number> {
  const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw uploadRefusal(answer);
  const { nextExpectedRanges } = uploadStatus.parse(await answer.json());
  const next = Number.parseInt(nextExpectedRanges[0] ?? '', 10);
  if (Number.isNaN(next)) throw refusalFor(UPLOAD_NOT_SAVED, null, { code: 'UploadRefused' });
  return next;
}
