import type { Types } from 'mongoose';
import { ConversationAnalysis } from '../../../../models/clinical_safety/conversationAnalysis.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { Conversation } from '../../../../models/conversation.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { rememberPerAccount } from '../../../../models/store/remember.ts';
import { changing } from '../../../../models/store/revisions.ts';

/** An analysis of the account. @throws AppError not_found */
export async function requireAnalysis(accountId: number, _id: number): Promise<HazardAnalysisRow> {
  const row = await HazardAnalysis.findOne({ _id, accountId }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}

const newest = (filter: object) =>
  HazardAnalysis.findOne({ ...filter })
    .sort({ createdAt: -1 })
    .lean();
const WITH_RESULT = { resultFileId: { $ne: null } };
const NO_SAMPLE = { isSample: { $ne: true } };

/** The newest analysis for a person. A colleague's sample counts only where the company has nothing else. */
export async function findLatestAnalysis({
  accountId,
  userId,
}: Pick<Who, 'accountId' | 'userId'>): Promise<HazardAnalysisRow | null> {
  return (await newest({ accountId, $or: [NO_SAMPLE, { userId }] })) ?? newest({ accountId });
}

/** {@link findLatestAnalysis} among those with a result. */
export async function findLatestResult({
  accountId,
  userId,
}: Pick<Who, 'accountId' | 'userId'>): Promise<HazardAnalysisRow | null> {
  return (
    (await newest({ accountId, ...WITH_RESULT, $or: [NO_SAMPLE, { userId }] })) ?? newest({ accountId, ...WITH_RESULT })
  );
}

/** The company's newest analysis with a result; one of a sample only where there is no other. */
export const readCompanyResult = async (accountId: number): Promise<HazardAnalysisRow | null> =>
  (await newest({ accountId, ...WITH_RESULT, ...NO_SAMPLE })) ?? newest({ accountId, ...WITH_RESULT });

/** The newest analysis of a sample that has a result. */
export const readSampleResult = (accountId: number): Promise<HazardAnalysisRow | null> =>
  newest({ accountId, ...WITH_RESULT, isSample: true });

/** As {@link readCompanyResult}, remembered until an analysis changes. */
export const findCompanyResult = rememberPerAccount(['analysis'], readCompanyResult);

/** The results that conversations work on, by the conversation's id, until an analysis changes. */
const ofConversations = rememberPerAccount(['analysis'], async () => new Map<string, HazardAnalysisRow | null>());
const MAX_REMEMBERED = 500;

/**
 * The analysis with a result that a conversation works on: the one that was last made or opened in it, or in the
 * one-to-one chat that its thread belongs to; the company's newest where there is none.
 */
export async function findResultFor(
  accountId: number,
  conversationId: Types.ObjectId | null,
): Promise<HazardAnalysisRow | null> {
  if (conversationId === null) return findCompanyResult(accountId);
  const known = await ofConversations(accountId);
  const key = String(conversationId);
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered ?? findCompanyResult(accountId);
  const own = await readOwnResult(accountId, conversationId);
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(key, own);
  return own ?? findCompanyResult(accountId);
}

async function readOwnResult(accountId: number, conversationId: Types.ObjectId): Promise<HazardAnalysisRow | null> {
  for (const place of await placesOf(accountId, conversationId)) {
    const worksOn = await ConversationAnalysis.findOne({ accountId, conversationId: place }).lean();
    const row =
      worksOn && (await HazardAnalysis.findOne({ _id: worksOn.analysisId, accountId, ...WITH_RESULT }).lean());
    if (row) return row;
  }
  return null;
}

/** A conversation, and the one-to-one chat that its thread belongs to. */
async function placesOf(accountId: number, conversationId: Types.ObjectId): Promise<Types.ObjectId[]> {
  const conversation = await Conversation.findOne({ _id: conversationId, accountId }, { placeId: 1, direct: 1 }).lean();
  return conversation?.direct && conversation.placeId ? [conversationId, conversation.placeId] : [conversationId];
}

/** Makes a conversation work on an analysis, and with it the one-to-one chat that it is a thread of. */
export async function workOn(accountId: number, conversationId: Types.ObjectId, analysisId: number): Promise<void> {
  const places = await placesOf(accountId, conversationId);
  await changing(accountId, ['analysis'], async () => {
    for (const place of places) {
      const of = { accountId, conversationId: place };
      if (await onceByKey(() => ConversationAnalysis.create({ ...of, analysisId }))) continue;
      await ConversationAnalysis.updateOne(of, { $set: { analysisId } });
    }
  });
}
