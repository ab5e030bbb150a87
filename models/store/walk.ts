import { connectedDatabase } from './client.ts';

/** What a walk over the whole store has found: how much was read, and a line for each fault. */
export type Walk = { collections: number; documents: number; entries: number; faults: string[] };

type Validation = { nrecords: number; keysPerIndex: Record<string, number>; errors: string[] };

/** Reads every document and index entry of the database, and compares them with each other. */
export async function walkStore(): Promise<Walk> {
  const database = connectedDatabase();
  const walk: Walk = { collections: 0, documents: 0, entries: 0, faults: [] };
  for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
    const { nrecords, keysPerIndex, errors } = (await database.command({ validate: name })) as unknown as Validation;
    walk.collections++;
    walk.documents += nrecords;
    for (const count of Object.values(keysPerIndex)) walk.entries += count;
    walk.faults.push(...errors.map((error) => `${name}: ${error}`));
  }
  return walk;
}
