import type { MatchRow } from '../../bot/agents/clinical_safety/matches/matchRow.ts';
import { MATCH_REVIEW, matchReview } from '../../bot/agents/clinical_safety/questions/matchReview.ts';
import type { Question } from '../../bot/engine/interrupts/question.ts';
import { registerQuestionKind } from '../../bot/engine/questions/kinds/index.ts';
import { makePossible } from './analysisResult.ts';

// Registers the kind, so that the questions made here can be drawn and answered.
registerQuestionKind(matchReview);

/** A ticket with a possible hazard, and another one to choose. */
export function makeMatchRow(more: Partial<MatchRow> = {}): MatchRow {
  return {
    id: 'EX-1',
    summary: 'Dose in the wrong unit',
    ticketDigest: 'digest of EX-1',
    possible: [makePossible()],
    others: [{ id: 'H2', name: 'Late result', digest: 'digest of H2' }],
    earlier: null,
    ...more,
  };
}

/** Three tickets to decide: the first has twelve hazards to choose from. */
export const MATCH_ROWS: readonly MatchRow[] = [
  makeMatchRow({
    possible: [makePossible(), makePossible({ hazardId: 'H3', hazardName: 'Unit is lost', hazardQuote: 'No unit' })],
    others: Array.from({ length: 10 }, (_, at) => ({ id: `H${at + 10}`, name: `Other ${at}`, digest: `d${at}` })),
    earlier: 'Bo confirmed H1 on 3 May 2026; the ticket has changed since.',
  }),
  makeMatchRow({ id: 'EX-2', summary: 'Result is late' }),
  makeMatchRow({ id: 'EX-3', summary: 'Screen is blank' }),
];

/** Decisions on them, as every surface sends them. */
export const MATCHES_DECIDED = [
  { id: 'EX-1', outcome: 'edited', choice: 'H12' },
  { id: 'EX-2', outcome: 'accepted' },
  { id: 'EX-3', outcome: 'rejected' },
];

/** The question about them. */
export const askForMatchRows = (prompt = 'Which hazards cover these tickets?'): Question => ({
  interruptType: MATCH_REVIEW,
  prompt,
  context: { title: 'Review of possible matches', rows: MATCH_ROWS },
});
