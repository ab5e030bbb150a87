// Fits the weights of the relevance features to the repository's labelled set, and writes them beside the engine.
import { writeFileSync } from 'node:fs';
import { OWN_LABELS } from '../../bot/agents/clinical_safety/evaluation/labelled.ts';
import { train } from '../../bot/agents/clinical_safety/evaluation/train.ts';

const model = train(OWN_LABELS);
writeFileSync(
  new URL('../../bot/agents/clinical_safety/tickets/relevanceWeights.json', import.meta.url),
  `${JSON.stringify(model, null, 2)}\n`,
);
console.log(model);
