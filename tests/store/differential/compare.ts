import { type Collection, type Document, MongoClient, MongoServerError } from 'mongodb';
import { type Command, commandMaker } from './commands.ts';
import { type Answer, Model, unordered, untyped } from './model.ts';
import { type Doc, shown, type Value } from './values.ts';

/** Commands on one collection, before another one with other indexes. */
const ROUND = 250;
const TYPED = { promoteValues: false, promoteLongs: false } as const;

async function run(collection: Collection<Document>, command: Command): Promise<Value> {
  switch (command.kind) {
    case 'insert':
      return (await collection.insertOne({ ...command.doc })).acknowledged ? 1 : 0;
    case 'count':
      return collection.countDocuments(command.filter);
    case 'distinct':
      return (await collection.distinct(command.key, command.filter, TYPED)).map(untyped);
    case 'find': {
      const { filter, ...options } = command;
      return collection
        .find(filter, {
          sort: options.sort as never,
          ...TYPED,
          skip: options.skip,
          limit: options.limit,
          projection: options.projection,
        })
        .toArray();
    }
    case 'aggregate':
      return unordered((await collection.aggregate(command.pipeline, TYPED).toArray()) as Doc[], command.pipeline);
    case 'delete':
      return (await (command.multi ? collection.deleteMany(command.filter) : collection.deleteOne(command.filter)))
        .deletedCount;
    case 'update': {
      const { filter, update, upsert, multi } = command;
      const isOperators = Object.keys(update)[0]?.startsWith('$');
      const change = isOperators ? (multi ? 'updateMany' : 'updateOne') : 'replaceOne';
      const { matchedCount, upsertedCount } = (await collection[change](filter, update, { upsert })) as {
        matchedCount: number;
        upsertedCount: number;
      };
      return [matchedCount, upsertedCount];
    }
    case 'findAndModify': {
      const { filter, sort, update, isNew, fields } = command;
      const options = { sort: sort as never, projection: fields, ...TYPED };
      if (!update) return collection.findOneAndDelete(filter, options);
      const changing = { ...options, returnDocument: isNew ? 'after' : 'before' } as const;
      return Object.keys(update)[0]?.startsWith('$')
        ? collection.findOneAndUpdate(filter, update, changing)
        : collection.findOneAndReplace(filter, update, changing);
    }
  }
}

async function answerOf(collection: Collection<Document>, command: Command): Promise<Answer> {
  try {
    return { values: await run(collection, command) };
  } catch (error) {
    if (error instanceof MongoServerError) return { code: Number(error.code) };
    throw error;
  }
}

const READS = ['find', 'count', 'distinct', 'aggregate'];

/**
 * Sends random commands to a store and to the model of its documentation, and compares every answer, and after each
 * write the whole collection.
 * @returns how many commands were compared, and how many of them both refused
 * @throws at the first difference, with the command and both answers
 */
export async function compareWithModel(
  uri: string,
  commands: number,
  seed: number,
): Promise<{ compared: number; refused: number }> {
  const client = await new MongoClient(uri).connect();
  const database = client.db('store_differential');
  const { next, indexes, chance } = commandMaker(seed);
  let compared = 0;
  let refused = 0;
  try {
    while (compared < commands) {
      await database.dropDatabase();
      const collection = database.collection(`c${compared}`);
      const isUnique = chance(50);
      const wanted = indexes().map((index) => ({ ...index }));
      const unique = { key: { u: 1 }, unique: true, partialFilterExpression: { u: { $exists: true } } } as const;
      if (isUnique || wanted.length > 0) await collection.createIndexes([...wanted, ...(isUnique ? [unique] : [])]);
      const model = new Model(isUnique);
      for (let i = 0; i < ROUND && compared < commands; i++, compared++) {
        const command = next();
        const where = () =>
          `seed ${seed}, command ${compared}, indexes ${JSON.stringify(wanted)}: ${shown(command)}\n${shown(before)}`;
        const before = model.docs;
        const expected = shown(model.answer(command));
        const actual = shown(await answerOf(collection, command));
        if (actual !== expected) throw new Error(`${where()}\nexpected ${expected}\nfound    ${actual}`);
        if (expected.startsWith('{"code"')) refused++;
        if (READS.includes(command.kind)) continue;
        const all = shown(await collection.find({}, { ...TYPED, sort: { _id: 1 } }).toArray());
        const wantedDocs = shown([...model.docs].sort((a, b) => Number(a._id) - Number(b._id)));
        if (all !== wantedDocs) throw new Error(`${where()}\nexpected ${wantedDocs}\nfound    ${all}`);
      }
    }
    return { compared, refused };
  } finally {
    await database.dropDatabase();
    await client.close();
  }
}
