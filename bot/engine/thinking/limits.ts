import { LIMITS } from '../../../models/contracts/limits.ts';
import type { RunRow } from '../../../models/run.ts';
import { readWithin } from '../accounts/budgets.ts';
import { readBalance, readUsedInMonth } from '../credits/credits.ts';
import type { Early, Thinking } from './transcript.ts';

const { modelCalls, tokens, seconds } = LIMITS.thinking;

/** The sentence for each limit that ends the thinking. */
export const EARLY_TEXTS: Record<Early, string> = {
  calls: `I stopped after ${modelCalls} steps of thinking, so this is the answer of the built-in engine.`,
  tokens: `I stopped after ${tokens.toLocaleString('en-GB')} tokens, so this is the answer of the built-in engine.`,
  time: `I stopped after ${seconds / 60} minutes, so this is the answer of the built-in engine.`,
  credits: 'Your credits do not cover more thinking, so this is the answer of the built-in engine.',
  budget:
    'This agent’s budget for the month does not cover more thinking, so this is the answer of the built-in engine.',
  unavailable: 'The language model did not answer, so this is the answer of the built-in engine.',
};

/** Milliseconds that a run may still think; at most zero where its time is over. */
export const timeLeft = ({ began }: Pick<Thinking, 'began'>, now = Date.now()): number =>
  seconds * 1000 - (began === null ? 0 : now - began);

/**
 * The limit that ends the thinking before the next model call; null where none does.
 * @param spent credits of this run that are not settled yet
 */
export async function reachedLimit(
  { accountId, agentId }: Pick<RunRow, 'accountId' | 'agentId'>,
  state: Thinking,
  spent: number,
): Promise<Early | null> {
  if (state.modelCalls >= modelCalls) return 'calls';
  if (state.tokens >= tokens) return 'tokens';
  if (timeLeft(state) <= 0) return 'time';
  const [{ tokensRemaining }, { month, budget }] = await Promise.all([
    readBalance(accountId),
    readWithin(accountId, agentId),
  ]);
  if (tokensRemaining <= spent) return 'credits';
  if (budget === null) return null;
  return (await readUsedInMonth(accountId, agentId, month)) + spent >= budget ? 'budget' : null;
}
