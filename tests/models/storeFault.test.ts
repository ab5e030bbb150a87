import { describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { AppError } from '../../models/contracts/errors.ts';
import { isDuplicateKey, onceByKey } from '../../models/store/duplicate.ts';
import { asStoreFault } from '../../models/store/fault.ts';

const withCode = (code: string | number) => Object.assign(new Error('of a socket'), { code });

describe('an error of the store', () => {
  test.each<[string, Error]>([
    ['a connection that broke', new mongo.MongoNetworkError('gone')],
    ['no server to be found', new mongo.MongoServerSelectionError('none', {} as never)],
    ['a driver that is not connected', new mongo.MongoNotConnectedError('none')],
    ['a topology that was closed', new mongo.MongoTopologyClosedError('closed')],
    ['a client that was closed', new mongo.MongoClientClosedError()],
    ['a server that was closed', new mongo.MongoServerClosedError('closed')],
    ...[
      'MongoPoolClearedError',
      'MongoPoolClosedError',
      'MongoWaitQueueTimeoutError',
      'MongooseServerSelectionError',
    ].map((name): [string, Error] => [name, Object.assign(new Error('gone'), { name })]),
    ...[91, 189, 10107, 11600, 11602, 13435, 13436].map((code): [string, Error] => [
      `a member that answers ${code}`,
      new mongo.MongoServerError({ code }),
    ]),
  ])('%s is reported as a store that does not answer', (_, error) => {
    expect(asStoreFault(error)).toMatchObject({ code: 'store_unavailable', cause: error });
  });

  test('a full disk is reported as a full store', () => {
    expect(asStoreFault(new mongo.MongoServerError({ code: 14031 }))).toMatchObject({ code: 'store_full' });
  });

  test.each<[string, unknown]>([
    ['a command that was wrong', new mongo.MongoServerError({ code: 2 })],
    ["another library's error of that code", withCode(91)],
    ["another library's full disk", withCode(14031)],
    ['a file that is not there', withCode('ENOENT')],
    ['a broken connection to something else', withCode('EPIPE')],
    ['an error of the registry', new AppError('not_found')],
    ["another library's broken connection", Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' })],
    ['a value that is no error', 'EPIPE'],
  ])('%s is unchanged', (_, error) => {
    expect(asStoreFault(error)).toBe(error);
  });
});

describe('a duplicate key', () => {
  const duplicate = Object.assign(new Error('E11000'), { code: 11_000, keyPattern: { accountId: 1, key: 1 } });

  test('is recognised by its code, and by the field in question', () => {
    expect([isDuplicateKey(duplicate), isDuplicateKey(duplicate, 'key')]).toEqual([true, true]);
    expect(isDuplicateKey(duplicate, 'name')).toBe(false);
    expect([isDuplicateKey(withCode(11_000)), isDuplicateKey(withCode(11_000), 'key')]).toEqual([true, false]);
    expect([isDuplicateKey(withCode(11_001)), isDuplicateKey(null), isDuplicateKey(undefined)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('means that a write was done before, and no other error does', async () => {
    expect(await onceByKey(async () => 'done')).toBe(true);
    expect(await onceByKey(() => Promise.reject(duplicate))).toBe(false);
    const other = withCode(2);
    await expect(onceByKey(() => Promise.reject(other))).rejects.toBe(other);
  });
});
