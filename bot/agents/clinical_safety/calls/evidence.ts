import * as contract from '../../../../models/contracts/clinical_safety/evidence.ts';
import { exportRelease } from '../../../../models/contracts/clinical_safety/release.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { type Call, defineCall, FileAnswer, JsonText } from '../../../engine/calls/call.ts';
import { checkPrintable } from '../evidence/checkPrintable.ts';
import { evidenceJson, makeEvidence } from '../evidence/makeEvidence.ts';
import { makeRelease } from '../evidence/makeRelease.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { requireAnalysis } from '../results/findAnalysis.ts';
import { exportEvidence, printEvidence } from '../worker/pool.ts';

const read = defineCall(
  contract.readEvidence,
  async ({ who, params }) =>
    new JsonText(evidenceJson(await makeEvidence(await requireAnalysis(who.accountId, params.id)))),
);

const printWithin: typeof printEvidence = async (pack, options) => {
  checkPrintable(pack.content);
  return printEvidence(pack, options);
};

/** A call that writes the pack as a file; the download is in the audit with the pack's digest. */
const downloadOf = (endpoint: typeof contract.exportEvidence, write: typeof exportEvidence) =>
  defineCall(endpoint, async ({ who, params }) => {
    const { accountId, userId } = who;
    const { content, seal } = await makeEvidence(await requireAnalysis(accountId, params.id));
    const file = await withFileErrors(write({ content, seal }, { accountId }));
    await recordEvent(accountId, 'file.exported', {
      userId,
      subject: `analysis:${params.id}:evidence`,
      outcome: 'downloaded',
      shownDigest: seal.digest,
    });
    return new FileAnswer(file);
  });

const release = defineCall(
  exportRelease,
  async ({ who, params }) => new FileAnswer(await makeRelease(who, await requireAnalysis(who.accountId, params.id))),
);

/** The calls for the evidence pack of an analysis. */
export const evidenceCalls: readonly Call[] = [
  read,
  downloadOf(contract.exportEvidence, exportEvidence),
  downloadOf(contract.printEvidence, printWithin),
  release,
];
