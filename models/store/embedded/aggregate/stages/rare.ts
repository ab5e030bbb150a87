import { type Doc, doc, isDoc, type Value } from '../../bson/value.ts';
import { CommandError, fail, refuse } from '../../errors.ts';
import { fromPlain, loadMingo, toPlain } from '../plain.ts';
import type { StageContext, StageMaker } from '../stage.ts';

type Mingo = { Aggregator: new (stages: object[], options: object) => { run(docs: unknown[]): unknown[] } };

const SCRIPTS = new Set(['$function', '$accumulator', '$where']);

/** Refuses what would run code that a client sent, however deep. */
function refuseScripts(spec: Value): void {
  if (Array.isArray(spec)) for (const item of spec) refuseScripts(item);
  if (!isDoc(spec)) return;
  for (const [name, item] of spec) {
    if (SCRIPTS.has(name)) fail('CommandNotSupported', `${name} is not supported by the embedded store`);
    refuseScripts(item);
  }
}

/** A stage as mingo has it. Numbers lose their exact type on the way; nothing else does. */
const borrowed =
  (name: string): StageMaker =>
  (operand) => {
    refuseScripts(operand);
    return (input) => {
      try {
        const { Aggregator } = loadMingo<Mingo>('');
        const aggregator = new Aggregator([{ [name]: toPlain(operand) }], { scriptEnabled: true });
        return aggregator.run([...input].map(toPlain)).map((item) => fromPlain(item) as Doc);
      } catch (error) {
        return refuse((error as Error).message);
      }
    };
  };

const missing = (context: StageContext) =>
  new CommandError('NamespaceNotFound', `Collection [${context.ns}] not found.`);

/** Stages that begin a pipeline with facts about the collection, or with given documents. */
export const RARE: Record<string, StageMaker> = {
  $densify: borrowed('$densify'),
  $fill: borrowed('$fill'),
  $setWindowFields: borrowed('$setWindowFields'),
  $collStats: (_operand, context) => () => {
    const collection = context.store.catalogue.find(context.ns);
    if (!collection) throw missing(context);
    const { count } = collection;
    return [
      doc({
        ns: context.ns,
        localTime: new Date(),
        storageStats: doc({ size: 0, count, nindexes: collection.indexes.length }),
        count,
      }),
    ];
  },
  $indexStats: (_operand, context) => () =>
    (context.store.catalogue.find(context.ns)?.indexes ?? []).map((index) =>
      doc({
        name: index.name,
        key: index.document.get('key'),
        accesses: doc({ ops: 0n, since: context.store.started }),
        spec: index.document,
      }),
    ),
  $documents: (operand) => {
    if (!Array.isArray(operand) || !operand.every(isDoc))
      fail(5858203, "an array is expected for the $documents stage's value");
    return () => operand;
  },
};
