import { CommandError } from '../errors.ts';
import { LAYOUT } from './digest.ts';
import { ALL, type Engine } from './engine.ts';

/** Where an upgrade is: the key of a table to go on from. */
export type Place = { table: 'docs' | 'entries'; start: Buffer };

/** A value; undefined where it is damaged: that is refused where it is read, and holds up nothing else. */
function soundValue(read: () => Buffer | undefined): Buffer | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CommandError && error.codeName === 'DataDamaged') return undefined;
    throw error;
  }
}

/**
 * Writes values again with their digests, from a place on, up to `limit` inside one transaction.
 * @returns where to go on; undefined once every value has a digest
 */
export function continueUpgrade(engine: Engine, limit: number, place?: Place): Place | undefined {
  const { table: name, start } = place ?? { table: 'docs', start: ALL.start };
  const table = engine[name];
  const keys = table.keys({ ...ALL, start, limit });
  for (const key of keys) {
    const value = soundValue(() => table.get(key));
    if (value) table.put(key, value);
  }
  if (keys.length === limit) return { table: name, start: Buffer.concat([keys.at(-1)!, Buffer.of(0)]) };
  if (name === 'docs') return { table: 'entries', start: ALL.start };
  engine.meta.put(LAYOUT.key, Buffer.of(LAYOUT.sealed));
  engine.layout = LAYOUT.sealed;
  return undefined;
}
