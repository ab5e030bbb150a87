import type { AnalysisResult } from '../../../models/contracts/hazards.ts';

/** A plain answer to a question over a result (or over the knowledge base alone); null-safe, deterministic. */
export function answerQuestion(_result: AnalysisResult | null, _text: string): string {
  return 'I do not know.';
}
