import { deserialize, serialize } from 'node:v8';
import type { Types } from 'mongoose';
import { dropBytes, keepBytes, readBytes } from '../../../models/files.ts';
import type { HandedValue } from '../../../models/handover.ts';
import { seal, unseal } from '../../../models/store/encrypted.ts';

/** Larger values are kept as files are. Those that hold a secret, such as a mail with a code, are far smaller. */
const MAX_SEALED_BYTES = 64 * 1024;

const contextOf = (id: Types.ObjectId) => `handover:${id}`;

/** Stores a value for another process; everything that a worker thread can be sent is allowed. */
export async function writeValue(id: Types.ObjectId, accountId: number, value: unknown): Promise<HandedValue> {
  const bytes = serialize(value);
  if (bytes.byteLength > MAX_SEALED_BYTES) return { bytes: await keepBytes(accountId, bytes) };
  return { sealed: seal(bytes.toString('base64'), contextOf(id)) };
}

/** Reads a value of {@link writeValue}. */
export async function readValue(id: Types.ObjectId, value: HandedValue): Promise<unknown> {
  if ('bytes' in value) return deserialize(await readBytes(value.bytes));
  return deserialize(Buffer.from(unseal<string>(value.sealed, contextOf(id)), 'base64'));
}

/** Deletes the bytes of values. */
export async function dropValues(values: readonly (HandedValue | null)[]): Promise<void> {
  const ids = values.flatMap((value) => (value && 'bytes' in value ? [value.bytes] : []));
  if (ids.length > 0) await dropBytes(ids);
}
