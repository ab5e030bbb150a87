// Fits the weights of relevance to the repository's labelled sets, and writes them beside the engine.
import { writeFileSync } from 'node:fs';
import { OWN_LABELS } from '../../bot/agents/clinical_safety/evaluation/labelled.ts';
import { FITTED_PRODUCTS } from '../../bot/agents/clinical_safety/evaluation/products.ts';
import { train } from '../../bot/agents/clinical_safety/evaluation/train.ts';

const model = train([...OWN_LABELS, ...FITTED_PRODUCTS.flatMap(({ tickets }) => tickets)]);
writeFileSync(
  new URL('../../bot/agents/clinical_safety/tickets/relevanceWeights.json', import.meta.url),
  `${JSON.stringify(model, null, 2)}\n`,
);
console.log(model);
