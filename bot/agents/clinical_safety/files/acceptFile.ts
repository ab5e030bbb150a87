import { Types } from 'mongoose';
import { findAgent } from '../../../../models/contracts/catalogue.ts';
import type { MessageCard } from '../../../../models/contracts/chat.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { attachmentOf, SHEET_TYPES, sheetTypeOf } from '../../../../models/contracts/files.ts';
import type { ConversationRow } from '../../../../models/conversation.ts';
import { type FileRow, type FileSource, StoredFile } from '../../../../models/file.ts';
import { plainFileName } from '../../../../models/fileName.ts';
import { keepFile } from '../../../../models/files.ts';
import type { MessageRow } from '../../../../models/message.ts';
import type { GivenFile } from '../../../engine/agents/agent.ts';
import { setCurrentFiles } from '../../../engine/conversations/conversations.ts';
import { refusalUnder } from '../../../engine/delivery/refusalUnder.ts';
import { say } from '../../../engine/delivery/say.ts';
import { readKnownProfiles } from '../profiles/profiles.ts';
import type { InspectedFile } from '../worker/jobs.ts';
import { inspectFile } from '../worker/pool.ts';
import { onlyReference } from '../workflows/derived.ts';
import { type CurrentFiles, currentFiles } from './currentFiles.ts';
import { translateFileError } from './fileErrors.ts';
import { withUploadRoom } from './uploadRoom.ts';

/** The types that it reads: logs and tickets as sheets, reports as documents. */
const FILE_TYPES = [...Object.keys(SHEET_TYPES), 'docx', 'md'];

/** Who speaks outside of a run. */
export const SPEAKER = { agentId: 'clinical_safety', displayName: findAgent('clinical_safety')?.displayName ?? '' };

/**
 * Accepts a file dropped into a conversation: inspects it, stores it, and replies in the chat with its kind and the
 * next step. A file that can't be used gets a reply too.
 * @param drop id of this drop; a repeated call with the same id sends no second reply
 * @throws AppError invalid_file with what to do
 */
export async function acceptFile(
  conversation: ConversationRow,
  given: GivenFile,
  drop = String(new Types.ObjectId()),
): Promise<{ file: FileRow; seen: InspectedFile }> {
  const dropped = { ...given, fileName: plainFileName(given.fileName) };
  const { accountId } = conversation;
  const { digest } = given;
  const type = sheetTypeOf(dropped.fileName);
  const keep = async () => {
    const profiles = await readKnownProfiles(accountId);
    const looked = await inspectFile(dropped.bytes, dropped.fileName, { accountId }, profiles);
    const kept = await keepFile({
      accountId,
      name: dropped.fileName,
      kind: looked.kind,
      type: type ?? 'application/octet-stream',
      key: `upload:${conversation._id}:${looked.kind}:${dropped.fileName}:${digest}`,
      bytes: dropped.bytes,
      digest,
      ...(given.source ? { source: given.source } : {}),
    });
    // The same tickets, read again later.
    if (given.source) await StoredFile.updateOne({ _id: kept._id }, { $set: { source: given.source } });
    return { seen: looked, file: kept };
  };
  const room = { accountId, digest, bytes: dropped.bytes.byteLength };
  const { seen, file } = await withUploadRoom(room, keep).catch(async (error: unknown) => {
    const refusal = translateFileError(error);
    if (refusal instanceof AppError) {
      await say(conversation, {
        key: `drop:${drop}:file`,
        messageType: 'user',
        kind: 'upload',
        text: dropped.fileName,
      });
      await say(conversation, {
        key: `drop:${drop}:refused`,
        kind: 'refused',
        text: refusal.message,
        agent: SPEAKER,
        derived: refusalUnder(refusal, FILE_TYPES),
      });
    }
    throw refusal;
  });
  const before = await setCurrentFiles(conversation, { [seen.kind]: file._id });
  if (!given.source) {
    await say(conversation, {
      key: `drop:${drop}:file`,
      messageType: 'user',
      kind: 'upload',
      text: file.originalName,
      attachments: [attachmentOf(file)],
      derived: onlyReference(`${KIND_NAMES[seen.kind]}.`),
    });
  }
  const instead = before.files[seen.kind];
  const replaced = instead !== undefined && String(instead) !== String(file._id);
  const after = { ...before, files: { ...before.files, [seen.kind]: file._id } };
  await say(conversation, {
    key: `drop:${drop}:seen`,
    kind: 'upload',
    agent: SPEAKER,
    ...(given.source ? { attachments: [attachmentOf(file)] } : {}),
    ...describeDrop(seen, await currentFiles(after), replaced, given.source),
  });
  return { file, seen };
}

const KIND_NAMES: Record<InspectedFile['kind'], string> = {
  'hazard-log': 'A hazard log',
  tickets: 'A ticket export',
  'safety-report': 'A safety case report',
};

function describeReport({ fileName }: InspectedFile): ReturnType<typeof describeDrop> {
  const next = ' Say “check the safety case report”, or press the button, and I’ll compare it with the hazard log.';
  return {
    text: `${fileName} is a safety case report.${next}`,
    derived: onlyReference(`A safety case report.${next}`),
    card: { actions: [{ label: 'Check the report', action: 'send', value: 'Check the safety case report' }] },
  };
}

/** The reply to an accepted file: its kind, and the next step. */
function describeDrop(
  seen: InspectedFile,
  after: CurrentFiles,
  replaced: boolean,
  source?: FileSource,
): { text: string; card: MessageCard; derived: MessageRow['derived'] } {
  if (seen.kind === 'safety-report') return describeReport(seen);
  const count = seen.rowCount.toLocaleString('en-GB');
  const isLog = seen.kind === 'hazard-log';
  const what = source
    ? `I have read ${count} ${seen.rowCount === 1 ? 'ticket' : 'tickets'} from ${source.name} (${source.query}).`
    : isLog
      ? `${seen.fileName} is a hazard log with ${count} data ${seen.rowCount === 1 ? 'row' : 'rows'}.`
      : `${seen.fileName} is a ticket export with ${count} ${seen.rowCount === 1 ? 'ticket' : 'tickets'}.`;
  const instead = replaced ? ` It replaces the earlier ${isLog ? 'hazard log' : 'ticket export'}.` : '';
  const company = after.companyLog
    ? ` I’ll compare it with your company’s current hazard log, ${after.companyLog.originalName}.`
    : '';
  const next = !after.logFileId
    ? ' Now drop in the hazard log, and I can compare the two.'
    : after.ticketsFileId
      ? ' Say “analyse”, or press the button, and I’ll compare the log with the tickets.'
      : ' You can add a ticket export, or start without one.';
  const kind = source ? `Tickets from ${source.name}` : KIND_NAMES[seen.kind];
  const remarks = seen.remarks.map((remark) => `\n• ${remark}`).join('');
  return {
    text: `${what}${instead}${company}${next}${remarks}`,
    derived: onlyReference(`${kind} with ${count} ${seen.rowCount === 1 ? 'row' : 'rows'}.${instead}${next}`),
    card: after.logFileId
      ? { actions: [{ label: 'Start the analysis', action: 'send', value: 'Analyse my hazard log' }] }
      : { actions: [{ label: 'Add the hazard log', action: 'upload' }] },
  };
}
