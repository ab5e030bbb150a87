import { MatchChoice, type MatchChoiceRow } from '../../../../models/clinical_safety/matchChoice.ts';
import type { Choice } from '../../../engine/thinking/chooseAmong.ts';

/**
 * Keeps what a model answered; a retry writes the same.
 * @param answers each with the digest of what was asked; null where it did not pass the check
 */
export async function keepChoices(
  accountId: number,
  model: string,
  answers: readonly [key: string, choice: Choice | null][],
): Promise<void> {
  const at = new Date();
  await Promise.all(
    answers.map(([key, choice]) => {
      const kept: MatchChoiceRow['choice'] = choice && {
        hazardId: choice.candidate,
        ticketQuote: choice.quote,
        hazardQuote: choice.candidateQuote,
      };
      return MatchChoice.updateOne({ accountId, key, model }, { $set: { choice: kept, at } }, { upsert: true });
    }),
  );
}

/** The answers of these models that an account has, by digest; of several models, the answer of the one named first. */
export async function findChoices(
  accountId: number,
  models: readonly string[],
  keys: readonly string[],
): Promise<Map<string, MatchChoiceRow>> {
  const rows = await MatchChoice.find({ accountId, key: { $in: [...keys] } }).lean();
  const known = rows.filter(({ model }) => models.includes(model));
  known.sort((a, b) => models.indexOf(b.model) - models.indexOf(a.model));
  return new Map(known.map((row) => [row.key, row]));
}
