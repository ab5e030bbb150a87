// A process that ends with status 3 in the middle of a large write. Arguments: worker file, directory, milliseconds
// after the write was sent, and the kind of end: a normal exit, or an uncaught error.
import { MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../models/store/embedded/index.ts';

const [workerFile = '', directory = '', milliseconds, how] = process.argv.slice(2);
const store = await startEmbeddedStore({ directory, workerFile });
const client = await new MongoClient(store.uri).connect();
const rows = Array.from({ length: 20_000 }, (_, _id) => ({ _id, text: `${_id} `.repeat(40) }));
client
  .db('t')
  .collection<{ _id: number }>('c')
  .insertMany(rows)
  .catch(() => {});
setTimeout(() => {
  if (how === 'fault') throw new Error('nobody catches this');
  process.exit(3);
}, Number(milliseconds));
