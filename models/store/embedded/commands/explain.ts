import { type Doc, isDoc, type Value } from '../bson/value.ts';
import type { Collection } from '../catalogue/collection.ts';
import { choosePlan, type Plan } from '../plan/choose.ts';
import { type Query, runQuery } from '../plan/query.ts';
import { pipelineQuery } from './aggregate.ts';
import { checkFields, docOf, namespace } from './arguments.ts';
import type { Call, Fields } from './context.ts';
import { queryOf } from './find.ts';

/** A plan in the words of MongoDB's explain. */
function stageOf(plan: Plan | undefined): Fields {
  if (!plan) return { stage: 'EOF' };
  const direction = plan.reverse ? 'backward' : 'forward';
  const [one, ...others] = plan.uses.map(({ index: { name: indexName, document, multikey: isMultiKey } }) => {
    return { stage: 'IXSCAN', keyPattern: document.get('key'), indexName, isMultiKey, direction };
  });
  if (!one) return { stage: 'COLLSCAN', direction };
  const inputStage = others.length > 0 ? { stage: 'OR', inputStages: [one, ...others] } : one;
  return { stage: 'FETCH', inputStage };
}

/** The query of a command, or of its first statement or leading stages. */
function explainedQuery(name: string, command: Doc, collection?: Collection): Query {
  if (name === 'aggregate') return pipelineQuery(command.get('pipeline') as Value[], command, collection).query;
  const list = command.get(`${name}s`);
  const first = Array.isArray(list) ? docOf(list[0]) : command;
  const filter = ['filter', 'query', 'q'].map((field) => first.get(field)).find(isDoc);
  return queryOf(first, docOf(filter), collection, docOf(command.get('let')));
}

/** The plan of a command and, unless only the plan is requested, the number of keys and documents that it reads. */
export function explained(command: Doc, { db, store }: Call, verbosity?: Value): Fields {
  const [name = ''] = command.keys();
  checkFields(name, command);
  const ns = namespace(db, command);
  const collection = store.catalogue.find(ns);
  const query = explainedQuery(name, command, collection);
  const plan = collection && choosePlan(collection, query);
  const found = stageOf(plan);
  const winningPlan = plan && query.sort && !plan.sorted ? { stage: 'SORT', inputStage: found } : found;
  const queryPlanner = { namespace: ns, parsedQuery: query.filter, winningPlan, rejectedPlans: [] };
  const reply: Fields = { explainVersion: '1', queryPlanner, command };
  if (!collection || verbosity === 'queryPlanner') return reply;
  const read = runQuery(store.engine, collection, query);
  let nReturned = 0;
  while (read.next() >= 0) nReturned++;
  return { ...reply, executionStats: { executionSuccess: true, nReturned, totalDocsExamined: read.examined } };
}
