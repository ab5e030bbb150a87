import { mongo } from 'mongoose';
import { AppError } from '../contracts/errors.ts';

/** Driver errors that mean that the store is unreachable, not that a command was wrong. */
const LOST = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoServerClosedError,
];
/** Names of further such errors, whose classes are not exported or are wrapped by mongoose. */
const LOST_NAMES = new Set([
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
]);
/** Server codes of a member that is going down or not primary any more (MongoDB's list of retryable errors). */
const LOST_CODES = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** Whether an error means that the store is unreachable. */
function isStoreLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    LOST.some((kind) => error instanceof kind) ||
    LOST_NAMES.has(error.name) ||
    (error instanceof mongo.MongoServerError && LOST_CODES.has(Number(error.code)))
  );
}

/** MongoDB's OutOfDiskSpace, which the embedded store answers too. */
const FULL_CODE = 14031;

/** Whether an error means that the store's disk is full: reads work, writes are refused. */
export const isStoreFull = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && Number(error.code) === FULL_CODE;

/** Translates store errors to `store_unavailable` and `store_full`; returns any other error unchanged. */
export function asStoreFault(error: unknown): unknown {
  if (isStoreFull(error)) return new AppError('store_full', {}, { cause: error });
  return isStoreLost(error) ? new AppError('store_unavailable', {}, { cause: error }) : error;
}
