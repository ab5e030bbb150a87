import type { Doc } from '../bson/value.ts';
import { fail, unsupported } from '../errors.ts';
import { choosePlan, type Plan } from '../plan/choose.ts';
import { visitFound } from '../plan/query.ts';
import { checkFields, docOf, namespace } from './arguments.ts';
import type { Fields, Handler } from './context.ts';
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

/** The plan of a find and, with `executionStats`, the number of documents that it reads. */
export const explain: Handler = async ({ body, db, store }) => {
  const command = body.get('explain') as Doc;
  const verbosity = body.get('verbosity') ?? 'allPlansExecution';
  if (!['queryPlanner', 'executionStats', 'allPlansExecution'].includes(String(verbosity)))
    fail('FailedToParse', 'verbosity must be queryPlanner, executionStats or allPlansExecution');
  if (verbosity === 'allPlansExecution') unsupported('explain with allPlansExecution');
  const [name = ''] = command.keys();
  if (name !== 'find') unsupported(`explain of ${name}`);
  checkFields(name, command);
  const ns = namespace(db, command);
  const collection = store.catalogue.find(ns);
  const query = queryOf(command, docOf(command.get('filter')));
  const plan = collection && choosePlan(collection, query);
  const found = stageOf(plan);
  const winningPlan = plan && query.sort && !plan.sorted ? { stage: 'SORT', inputStage: found } : found;
  const queryPlanner = { namespace: ns, parsedQuery: query.filter, winningPlan, rejectedPlans: [] };
  const reply: Fields = { explainVersion: '1', queryPlanner, command };
  if (!collection || verbosity === 'queryPlanner') return reply;
  let nReturned = 0;
  const { examined } = await visitFound(store.engine, collection, query, () => nReturned++);
  return { ...reply, executionStats: { executionSuccess: true, nReturned, totalDocsExamined: examined } };
};
