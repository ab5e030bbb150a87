import { type Doc, isDoc } from '../bson/value.ts';
import type { Plan } from '../plan/choose.ts';
import { planOf, runQuery } from '../plan/query.ts';
import { docOf } from './arguments.ts';
import type { Fields, Handler } from './context.ts';
import { queryOf } from './find.ts';

/** A plan in the words of MongoDB's explain. */
function stageOf(plan: Plan | undefined): Fields {
  if (!plan) return { stage: 'EOF' };
  if (plan.kind === 'union')
    return {
      stage: 'FETCH',
      inputStage: { stage: 'OR', inputStages: plan.plans.map((item) => stageOf(item).inputStage) },
    };
  const direction = plan.reverse ? 'backward' : 'forward';
  if (plan.kind === 'all') return { stage: 'COLLSCAN', direction };
  const { name: indexName, document, multikey: isMultiKey } = plan.index;
  const inputStage = { stage: 'IXSCAN', keyPattern: document.get('key'), indexName, isMultiKey, direction };
  return { stage: 'FETCH', inputStage };
}

/** The filter of a command, or of its first statement or stage. */
function filterOf(name: string, command: Doc): Doc {
  const list = command.get({ update: 'updates', delete: 'deletes', aggregate: 'pipeline' }[name] ?? '');
  const first = Array.isArray(list) ? docOf(list[0]) : command;
  return docOf(['filter', 'query', 'q', '$match'].map((field) => first.get(field)).find(isDoc));
}

/** What plan a command would use; with executionStats also what it reads. */
export const explain: Handler = ({ body, db }, store) => {
  const command = docOf(body.get('explain'));
  const [name = ''] = command.keys();
  const ns = `${db}.${String(command.get(name))}`;
  const collection = store.catalogue.find(ns);
  const query = queryOf(command, filterOf(name, command), collection);
  const plan = collection && planOf(collection, query);
  const found = stageOf(plan);
  const winningPlan = plan && query.sort && !plan.sorted ? { stage: 'SORT', inputStage: found } : found;
  const queryPlanner = { namespace: ns, parsedQuery: query.filter, winningPlan, rejectedPlans: [] };
  const reply: Fields = { explainVersion: '1', queryPlanner, command };
  if (!collection || body.get('verbosity') === 'queryPlanner') return reply;
  const read = runQuery(store.engine, collection, query);
  let nReturned = 0;
  while (read.next() >= 0) nReturned++;
  return { ...reply, executionStats: { executionSuccess: true, nReturned, totalDocsExamined: read.examined } };
};
