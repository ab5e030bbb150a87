import { describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { AppError } from '../../models/contracts/errors.ts';
import { asStoreFault } from '../../models/store/fault.ts';

const withCode = (code: string | number) => Object.assign(new Error('of a socket'), { code });

describe('an error of the store', () => {
  test.each<[string, Error]>([
    ['a connection that broke', new mongo.MongoNetworkError('gone')],
    ['no server to be found', new mongo.MongoServerSelectionError('none', {} as never)],
    ['a member that is going down', new mongo.MongoServerError({ code: 11600 })],
  ])('%s says that the store does not answer', (_, error) => {
    expect(asStoreFault(error)).toMatchObject({ code: 'store_unavailable', cause: error });
  });

  test('a full disk says that the store is full', () => {
    expect(asStoreFault(new mongo.MongoServerError({ code: 14031 }))).toMatchObject({ code: 'store_full' });
  });

  test.each<[string, unknown]>([
    ['a command that was wrong', new mongo.MongoServerError({ code: 2 })],
    ['a file that is not there', withCode('ENOENT')],
    ['a broken connection of something else', withCode('EPIPE')],
    ['an error of the registry', new AppError('not_found')],
    ["another library's broken connection", Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' })],
    ['what is no error', 'EPIPE'],
  ])('%s stays what it is', (_, error) => {
    expect(asStoreFault(error)).toBe(error);
  });
});
