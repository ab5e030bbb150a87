import { randomUUID } from 'node:crypto';
import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { RELEASE_FORMAT, releaseFileName } from '../../../../models/contracts/clinical_safety/release.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { PRODUCT_VERSION } from '../../../../models/contracts/productVersion.ts';
import { may } from '../../../../models/policies/actions.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { releasePublicKey, signRelease } from '../../../../models/releaseKey.ts';
import { readChainPart } from '../../../engine/audit/readChainPart.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { makeEntry, writeZip } from '../../../engine/files/zipArchive.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import type { ExportOutput } from '../worker/jobs.ts';
import { writeRelease } from '../worker/pool.ts';
import { checkPrintable } from './checkPrintable.ts';
import { makeEvidence } from './makeEvidence.ts';

/**
 * The release file of an analysis: its evidence in three forms, the audit chain from its start to this release, and a
 * signed manifest of digests, which docs/verify-release.mjs checks without Arc. The release is in the audit, and is the
 * last row of that part of the chain.
 * @throws AppError not_allowed, no_result, too_long_to_print, not_available where the chain is too long
 */
export async function makeRelease(who: Who, row: HazardAnalysisRow): Promise<ExportOutput> {
  if (!may(who, 'audit.read')) throw new AppError('not_allowed');
  const { accountId, _id } = row;
  const { content, seal, text } = await makeEvidence(row);
  checkPrintable(content);
  const key = randomUUID();
  await recordEvent(accountId, 'release.made', {
    userId: who.userId,
    subject: `analysis:${_id}:release`,
    outcome: 'made',
    shownDigest: seal.digest,
    key,
  });
  const { text: chain, ...part } = await readChainPart(accountId, {
    fromKey: `analysis.started:${_id}`,
    toKey: `release.made:${key}`,
  });
  const pack = { content, seal };
  const { entries, files } = await withFileErrors(writeRelease({ pack, text, chain }, { accountId }));
  const manifest = Buffer.from(
    `${JSON.stringify(
      {
        format: RELEASE_FORMAT,
        product: `Arc ${PRODUCT_VERSION}`,
        company: content.company,
        analysis: content.analysis,
        madeAt: seal.madeAt,
        evidenceDigest: seal.digest,
        files,
        chain: { accountId, ...part },
        publicKey: releasePublicKey(),
      },
      null,
      2,
    )}\n`,
  );
  const signed = [makeEntry('manifest.json', manifest), makeEntry('manifest.sig', `${signRelease(manifest)}\n`)];
  return {
    bytes: writeZip([...entries, ...signed]),
    fileName: releaseFileName(_id),
    contentType: 'application/zip',
  };
}
