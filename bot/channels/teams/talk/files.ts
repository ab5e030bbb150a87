import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import { isUploadType } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { env } from '../../../../models/env.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { kindOf, type Received } from '../platform/activity.ts';
import { readRetryAfter, refusalFor } from '../platform/refusal.ts';

/** How Teams announces a file that was dropped into a personal chat. */
const DOWNLOAD = 'application/vnd.microsoft.teams.file.download.info';
/** What comes beside a person's words and is no file. */
const NO_FILE = /^(text\/html|application\/vnd\.microsoft\.card\.|application\/vnd\.microsoft\.teams\.card\.)/;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const TIMEOUT_MILLISECONDS = 30_000;
/** A range of an upload; a multiple of 320 KiB, as the vendor asks. */
const RANGE_BYTES = 16 * 320 * 1024;
/** A range that the host has already: where it goes on has to be asked (docs/platforms.md). */
const RANGE_TAKEN = 416;
/** Stands for an upload that lacks nothing and is no file, e.g. of a name that is taken. */
const NOTHING_LACKS = 409;

/** A file in a conversation where Teams gives apps none: known by having no address. */
const NOT_GIVEN = '';

/** The files that came with a message; what can't be fetched is kept all the same, so that it is answered. */
export function attachedFiles(activity: Received): { fileId: string; name: string }[] {
  const personal = kindOf(activity) === 'personal';
  return (activity.attachments ?? [])
    .filter(({ contentType }) => typeof contentType === 'string' && !NO_FILE.test(contentType))
    .map(({ contentType, content, name }) => {
      const address = (content as { downloadUrl?: unknown } | null | undefined)?.downloadUrl;
      const given = personal && contentType === DOWNLOAD && typeof address === 'string';
      return {
        fileId: given ? address : NOT_GIVEN,
        name: String(name ?? 'upload').replace(/^.*[\\/]/, '') || 'upload',
      };
    });
}

/** Whether an address is one of the file hosts of Teams: no other is ever fetched from or put to. */
export function isFileAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username } = new URL(address);
  if (username !== '') return false;
  const allowed = env.BOT_FILE_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return allowed && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname)));
}

const unavailable = (text: string) => new AppError('not_available', { text });

/**
 * Fetches a file that was dropped into a personal chat.
 * @throws AppError not_available with what to do, too_large, invalid_file_type; TeamsRefusal where its host does not give it
 */
export async function fetchTeamsFile({ fileId, name }: { fileId: string; name: string }) {
  if (fileId === NOT_GIVEN) {
    throw unavailable(
      `In channels and group chats Teams gives apps no files. Drop it into our personal chat, or upload it in Arc: ${linkToChat()}`,
    );
  }
  if (!isFileAddress(fileId)) throw unavailable('The file is not kept where Teams keeps files, so I did not fetch it.');
  if (!isUploadType(name)) throw new AppError('invalid_file_type');
  const answer = await fetch(fileId, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  // A host that says when it can be asked again has not refused the file: the turn is tried again.
  if (!answer.ok || !answer.body)
    throw refusalFor(answer.status, readRetryAfter(answer.headers.get('retry-after')), { code: 'FileRefused' });
  if (Number(answer.headers.get('content-length') ?? 0) > LIMITS.uploadBytes) {
    await answer.body.cancel();
    throw new AppError('too_large');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // What a header says of the size need not be true: reading stops where it becomes too much.
  for await (const chunk of answer.body) {
    size += chunk.byteLength;
    if (size > LIMITS.uploadBytes) throw new AppError('too_large');
    chunks.push(chunk);
  }
  return { fileName: name, bytes: new Uint8Array(Buffer.concat(chunks)) };
}

/** By its code it is known that it says nothing of the conversation. */
const uploadRefusal = (answer: Response) =>
  refusalFor(answer.status, readRetryAfter(answer.headers.get('retry-after')), { code: 'UploadRefused' });

/**
 * Puts a file where a person has let it go, range by range.
 * @param again true where an earlier try may have put some of it: then the host is asked from where it goes on
 * @throws AppError not_available for an address that is none of Teams', TeamsRefusal
 */
export async function putTeamsFile(address: string, bytes: Uint8Array, again: boolean): Promise<void> {
  if (!isFileAddress(address)) throw unavailable('This is not where Teams keeps files, so nothing was put there.');
  let from = again ? await readProgress(address) : 0;
  while (from < bytes.length) {
    const part = bytes.subarray(from, from + RANGE_BYTES);
    const answer = await fetch(address, {
      method: 'PUT',
      // Not followed: where it leads need not be one of Teams' hosts.
      redirect: 'manual',
      headers: { 'Content-Range': `bytes ${from}-${from + part.length - 1}/${bytes.length}` },
      body: part as never,
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    if (!answer.ok && answer.status !== RANGE_TAKEN) throw uploadRefusal(answer);
    const next = answer.ok ? from + part.length : await readProgress(address);
    // A host that refuses a range and asks for it once more would be asked forever.
    if (next <= from) throw uploadRefusal(answer);
    from = next;
  }
}

const uploadStatus = z.object({ nextExpectedRanges: z.array(z.string()).default([]) });

/**
 * The first byte that an upload still lacks, as its host says.
 * @throws TeamsRefusal for good where that can't be known: the address of a whole upload is not found any more, and one
 * that lacks nothing and is still there was not made a file
 */
async function readProgress(address: string): Promise<number> {
  const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  if (!answer.ok) throw uploadRefusal(answer);
  const { nextExpectedRanges } = uploadStatus.parse(await answer.json());
  const next = Number.parseInt(nextExpectedRanges[0] ?? '', 10);
  if (Number.isNaN(next)) throw refusalFor(NOTHING_LACKS, null, { code: 'UploadRefused' });
  return next;
}
