/** The terms of a document's field, and their weight. */
export type WeightedTerms = { terms: string[]; weight: number };

const K1 = 1.2;
const B = 0.6;

/** An inverted index over documents in typed arrays, scored by BM25 over weighted fields. */
export type RankingIndex = {
  size: number;
  termIds: Map<string, number>;
  /** The postings of term t are at starts[t] up to, not including, starts[t + 1]. */
  starts: Uint32Array;
  documents: Uint32Array;
  /** The term's BM25 weight in the document, including length and inverse document frequency. */
  impacts: Float32Array;
  idf: Float32Array;
};

export function buildIndex(documents: WeightedTerms[][]): RankingIndex {
  const termIds = new Map<string, number>();
  const counts: Map<number, number>[] = [];
  const lengths = new Float64Array(documents.length);
  const frequencies: number[] = [];
  let postings = 0;
  for (const [at, fields] of documents.entries()) {
    const count = new Map<number, number>();
    for (const { terms, weight } of fields)
      for (const term of terms) {
        let id = termIds.get(term);
        if (id === undefined) {
          id = termIds.size;
          termIds.set(term, id);
        }
        count.set(id, (count.get(id) ?? 0) + weight);
        lengths[at] = (lengths[at] ?? 0) + weight;
      }
    for (const id of count.keys()) frequencies[id] = (frequencies[id] ?? 0) + 1;
    postings += count.size;
    counts.push(count);
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length) || 1;
  const starts = new Uint32Array(termIds.size + 1);
  for (let id = 0; id < termIds.size; id += 1) starts[id + 1] = (starts[id] ?? 0) + (frequencies[id] ?? 0);
  const idf = Float32Array.from({ length: termIds.size }, (_, id) =>
    Math.log(1 + (documents.length - (frequencies[id] ?? 0) + 0.5) / ((frequencies[id] ?? 0) + 0.5)),
  );
  const next = starts.slice();
  const index: RankingIndex = {
    size: documents.length,
    termIds,
    starts,
    documents: new Uint32Array(postings),
    impacts: new Float32Array(postings),
    idf,
  };
  for (const [at, count] of counts.entries())
    for (const [id, frequency] of count) {
      const slot = next[id] ?? 0;
      next[id] = slot + 1;
      index.documents[slot] = at;
      index.impacts[slot] =
        ((idf[id] ?? 0) * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * (lengths[at] ?? 0)) / average));
    }
  return index;
}

/** Adds each document's score to the given array, which the caller reuses for thousands of queries. */
export function addScores(
  index: RankingIndex,
  terms: Iterable<[term: string, weight: number]>,
  scores: Float32Array,
): void {
  const { termIds, starts, documents, impacts } = index;
  for (const [term, weight] of terms) {
    const id = termIds.get(term);
    if (id === undefined) continue;
    const end = starts[id + 1] ?? 0;
    for (let at = starts[id] ?? 0; at < end; at += 1) {
      const document = documents[at] ?? 0;
      scores[document] = (scores[document] ?? 0) + weight * (impacts[at] ?? 0);
    }
  }
}

/** The same as addScores; also counts, for each document, the distinctive terms that it shares. */
export function addScoresAndHits(
  index: RankingIndex,
  terms: Iterable<[term: string, weight: number]>,
  scores: Float32Array,
  hits: Uint8Array,
): void {
  const { termIds, starts, documents, impacts } = index;
  for (const [term, weight] of terms) {
    const id = termIds.get(term);
    if (id === undefined) continue;
    const start = starts[id] ?? 0;
    const end = starts[id + 1] ?? 0;
    if (end - start > MIN_COMMON_DOCUMENTS && end - start > index.size * COMMON_SHARE) continue;
    for (let at = start; at < end; at += 1) {
      const document = documents[at] ?? 0;
      const gain = weight * (impacts[at] ?? 0);
      scores[document] = (scores[document] ?? 0) + gain;
      if (gain >= MIN_HIT_GAIN) hits[document] = (hits[document] ?? 0) + 1;
    }
  }
}

/** In a large log, a term in more documents than this is not distinctive. */
const MIN_COMMON_DOCUMENTS = 500;
const COMMON_SHARE = 0.15;
/** The least that a shared term must add to a score to count as a hit. */
const MIN_HIT_GAIN = 0.25;

/** The highest-scoring documents, best first; ties in document order, so that the result is deterministic. */
export function findBest(scores: Float32Array, count: number, minScore = 0): { at: number; score: number }[] {
  const top: { at: number; score: number }[] = [];
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] ?? 0;
    if (score <= minScore || (top.length === count && score <= (top.at(-1)?.score ?? 0))) continue;
    let place = top.length;
    while (place > 0 && (top[place - 1]?.score ?? 0) < score) place -= 1;
    top.splice(place, 0, { at, score });
    if (top.length > count) top.pop();
  }
  return top;
}
