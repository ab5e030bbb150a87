import { ReadingProfile, type ReadingProfileRow } from '../../../../models/clinical_safety/readingProfile.ts';
import * as contract from '../../../../models/contracts/clinical_safety/readingProfiles.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { may } from '../../../../models/policies/actions.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { recordEvent } from '../../../engine/audit/recordEvent.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';

const present = ({
  _id,
  fileName,
  points,
  chosenBy,
  chosenAt,
  version,
}: ReadingProfileRow): contract.ReadingProfile => ({
  id: String(_id),
  fileName,
  points,
  by: chosenBy.name,
  at: new Date(chosenAt).toISOString(),
  version,
});

/** Whoever may answer the question may also change its answer. */
const mayChange = (who: Who) => may(who, 'question.answer');

const list = defineCall(
  contract.listReadingProfiles,
  async ({ who }) => {
    const rows = await ReadingProfile.find({ accountId: who.accountId, isForgotten: false })
      .sort({ chosenAt: -1 })
      .limit(200)
      .lean();
    return { mayChange: mayChange(who), profiles: rows.map(present) };
  },
  { topics: ['analysis'] },
);

/** The points as settled anew. @throws AppError bad_request for a point or an option that the profile does not have */
function settle(points: contract.ProfilePoint[], anew: readonly SettledPoint[]): contract.ProfilePoint[] {
  for (const { point, choice } of anew) {
    const known = points.find(({ id }) => id === point);
    if (!known || (choice !== null && !known.options.some(({ id }) => id === choice)))
      throw new AppError('bad_request', {}, { fields: { points: 'Choose one of the options.' } });
  }
  return points.map((point) => {
    const settled = anew.find((one) => one.point === point.id);
    return settled ? { ...point, choice: settled.choice } : point;
  });
}

const change = defineCall(contract.changeReadingProfile, async ({ who, params, body }) => {
  const { accountId, userId, name } = who;
  if (!mayChange(who)) throw new AppError('not_allowed');
  const filter = { _id: params.id, accountId };
  const row = await ReadingProfile.findOne(filter).lean();
  if (!row) throw new AppError('not_found');
  if (row.version !== body.version) throw new AppError('conflict');
  const points = settle(row.points, body.points ?? []);
  const isForgotten = body.isForgotten ?? row.isForgotten;
  await recordEvent(accountId, 'reading.changed', {
    userId,
    subject: `reading-profile:${params.id}`,
    outcome: isForgotten ? 'forgotten' : body.points ? 'settled' : 'restored',
  });
  // Restoring a profile is no choice of its points.
  const chosen = body.points ? { chosenBy: { userId, name }, chosenAt: new Date() } : {};
  const { modifiedCount } = await changing(accountId, ['analysis'], () =>
    ReadingProfile.updateOne(
      { ...filter, version: body.version },
      { $set: { points, isForgotten, ...chosen }, $inc: { version: 1 } },
    ),
  );
  if (modifiedCount !== 1) throw new AppError('conflict');
  return present(requireRow(await ReadingProfile.findOne(filter).lean()));
});

/** The calls for how logs are read. */
export const profileCalls: readonly Call[] = [list, change];
