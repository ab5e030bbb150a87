import { FindingLife, type FindingLifeRow } from '../../../../models/clinical_safety/findingLife.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';

/**
 * Appends the audit row of a finding's last change, once. It was stored with the change, so that a crash between the two
 * delays the row until the finding is next read or changed.
 */
export async function recordChange({ _id, accountId, unrecorded }: FindingLifeRow): Promise<void> {
  if (!unrecorded) return;
  const { event, outcome, userId, at, version } = unrecorded;
  await recordEvent(accountId, event, { userId, subject: `finding:${_id}`, outcome, at, key: `${_id}:${version}` });
  await FindingLife.updateOne({ _id, accountId, 'unrecorded.version': version }, { $set: { unrecorded: null } });
}
