/** MongoDB's error codes that this store answers with, by their documented names. */
const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  InvalidLength: 16,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  InvalidBSON: 22,
  InvalidIdField: 53,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  CannotBackfillArray: 84,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  ShutdownInProgress: 91,
  CommandNotSupported: 115,
  IndexBuildAborted: 276,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  SnapshotTooOld: 239,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
  /** Not MongoDB's: what was read is not what was written. */
  DataDamaged: 77001,
} as const;

export type CodeName = keyof typeof CODES;

/** A command or one of its writes fails with MongoDB's code; `extra` is merged into the error document. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly extra: Record<string, unknown>;

  constructor(code: CodeName | number, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.code = typeof code === 'number' ? code : CODES[code];
    this.codeName = typeof code === 'number' ? `Location${code}` : code;
    this.extra = extra;
  }
}

/** Fails with one of MongoDB's codes. */
export function fail(code: CodeName | number, message: string, extra?: Record<string, unknown>): never {
  throw new CommandError(code, message, extra);
}

/** Refuses with BadValue, the code MongoDB uses for most malformed requests. */
export function refuse(message: string): never {
  fail('BadValue', message);
}

/** Refuses a part of MongoDB that this store does not have (code 115). */
export function unsupported(what: string): never {
  fail('CommandNotSupported', `The embedded store does not support ${what}: use MONGODB_URI`);
}

/** Table entries for operators or stages that are not supported. */
export const refused = (...names: string[]): Record<string, () => never> =>
  Object.fromEntries(names.map((name) => [name, () => unsupported(name)]));
