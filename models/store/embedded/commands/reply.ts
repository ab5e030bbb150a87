import { type Doc, doc, type Value } from '../bson/value.ts';
import { CommandError } from '../errors.ts';

/** An error as one entry of writeErrors. */
export function writeError(error: CommandError, index: number): Doc {
  return doc({ index, code: error.code, errmsg: error.message, ...error.extra });
}

/** An error as the reply to a command. */
export function errorReply(error: unknown): Doc {
  const known =
    error instanceof CommandError
      ? error
      : new CommandError('InternalError', (error as Error)?.message ?? 'internal error');
  return doc({ ok: 0, errmsg: known.message, code: known.code, codeName: known.codeName, ...known.extra });
}

export const ok = (fields: Record<string, Value> = {}): Doc => doc({ ...fields, ok: 1 });
