import type { WeightedTerms } from '../../../../bot/agents/clinical_safety/tickets/ranking.ts';

/** BM25 with weighted fields by its textbook definition: slow, without caching. */
export function plainBm25(documents: WeightedTerms[][], query: [term: string, weight: number][]): number[] {
  const counts = documents.map((fields) => {
    const count = new Map<string, number>();
    for (const { terms, weight } of fields) for (const term of terms) count.set(term, (count.get(term) ?? 0) + weight);
    return count;
  });
  const lengths = counts.map((count) => [...count.values()].reduce((sum, weight) => sum + weight, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  return counts.map((count, at) => {
    let score = 0;
    for (const [term, weight] of query) {
      const frequency = count.get(term);
      if (frequency === undefined) continue;
      const having = counts.filter((other) => other.has(term)).length;
      const idf = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      score += (weight * idf * frequency * 2.2) / (frequency + 1.2 * (0.4 + (0.6 * (lengths[at] ?? 0)) / average));
    }
    return score;
  });
}
