// Fits the weights of relevance and of office work to the repository's labelled sets, and writes them beside the engine.
import { writeFileSync } from 'node:fs';
import { OFFICE_LABELS, OWN_LABELS } from '../../bot/agents/clinical_safety/evaluation/labelled.ts';
import { FITTED_PRODUCTS } from '../../bot/agents/clinical_safety/evaluation/products.ts';
import { train, trainOffice } from '../../bot/agents/clinical_safety/evaluation/train.ts';

const products = [...OWN_LABELS, ...FITTED_PRODUCTS.flatMap(({ tickets }) => tickets)];
const models = {
  relevanceWeights: train(products),
  officeWeights: trainOffice(products, OFFICE_LABELS),
};
for (const [name, model] of Object.entries(models)) {
  const file = new URL(`../../bot/agents/clinical_safety/tickets/${name}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(model, null, 2)}\n`);
  console.log(name, model);
}
