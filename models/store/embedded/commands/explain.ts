import { type Doc, doc, isDoc } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Plan } from '../plan/choose.ts';
import { planOf, runQuery } from '../plan/query.ts';
import { countArgument } from './arguments.ts';
import type { Handler } from './context.ts';
import { queryOf } from './find.ts';

/** A plan in the words of MongoDB's explain. */
function stageOf(plan: Plan): Doc {
  if (plan.kind === 'all') return doc({ stage: 'COLLSCAN', direction: plan.reverse ? 'backward' : 'forward' });
  if (plan.kind === 'union')
    return doc({
      stage: 'FETCH',
      inputStage: doc({ stage: 'OR', inputStages: plan.plans.map((item) => stageOf(item).get('inputStage')) }),
    });
  const { index } = plan;
  const input = doc({
    stage: 'IXSCAN',
    keyPattern: index.document.get('key'),
    indexName: index.name,
    isMultiKey: index.multikey,
    direction: plan.reverse ? 'backward' : 'forward',
  });
  return doc({ stage: 'FETCH', inputStage: input });
}

const FILTERS: Record<string, string> = {
  find: 'filter',
  count: 'query',
  distinct: 'query',
  findAndModify: 'query',
  findandmodify: 'query',
};

function statementOf(command: Doc): Doc {
  const [name] = command.keys();
  const list = command.get(name === 'update' ? 'updates' : 'deletes');
  const first = Array.isArray(list) ? list[0] : undefined;
  if (name === 'aggregate') {
    const stages = command.get('pipeline');
    const match = Array.isArray(stages) && isDoc(stages[0]) ? stages[0].get('$match') : undefined;
    return new Map([['filter', isDoc(match) ? match : new Map()]]);
  }
  return isDoc(first) ? new Map([...first, ['filter', first.get('q')]]) : command;
}

/** What plan a command would use; with executionStats also what it reads. */
const explain: Handler = (request, store) => {
  const command = request.body.get('explain');
  if (!isDoc(command)) fail('TypeMismatch', "BSON field 'explain.explain' is the wrong type, expected type 'object'");
  const name = command.keys().next().value ?? '';
  const ns = `${request.db}.${String(command.get(name))}`;
  const collection = store.catalogue.find(ns);
  const query = queryOf(statementOf(command), FILTERS[name] ?? 'filter', name, collection);
  query.skip = countArgument(command, 'skip', name);
  query.limit = countArgument(command, 'limit', name);
  const plan: Plan | undefined = collection && planOf(collection, query);
  let winningPlan = plan ? stageOf(plan) : doc({ stage: 'EOF' });
  if (plan && query.sort && !plan.sorted) winningPlan = doc({ stage: 'SORT', inputStage: winningPlan });
  const reply = doc({
    explainVersion: '1',
    queryPlanner: doc({ namespace: ns, parsedQuery: query.filter, winningPlan, rejectedPlans: [] }),
    command,
    ok: 1,
  });
  if (request.body.get('verbosity') !== 'queryPlanner' && collection) {
    const found = runQuery(store.engine, collection, query);
    let nReturned = 0;
    while (found.next() >= 0) nReturned++;
    reply.set('executionStats', doc({ executionSuccess: true, nReturned, totalDocsExamined: found.examined }));
  }
  return reply;
};

export const EXPLAIN: Record<string, Handler> = { explain };
