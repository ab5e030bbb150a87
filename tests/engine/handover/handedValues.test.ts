/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { FileError } from '../../../bot/engine/files/fileError.ts';
import { describeFault, type OwnErrors, readFault } from '../../../bot/engine/handover/faults.ts';
import { dropValues, readValue, writeValue } from '../../../bot/engine/handover/handedValues.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { connectedDatabase } from '../../../models/store/client.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';

connectTestStore();
const OWN: OwnErrors = {
  is: (error) => error instanceof FileError,
  make: (code, message) => new FileError(code, message),
};
const id = new Types.ObjectId();

test('a small value is stored encrypted, under its own id', async () => {
  const given = { code: '123456', at: new Date(5), list: [undefined, new Uint8Array([1, 2])] };
  const stored = await writeValue(id, nextNumber(), given);
  expect(JSON.stringify(stored)).not.toContain('123456');
  expect(await readValue(id, stored)).toEqual(given);
  await expect(readValue(new Types.ObjectId(), stored)).rejects.toThrow();
});

test('a large value is kept as bytes of its account, until it is dropped', async () => {
  const accountId = nextNumber();
  const given = { bytes: new Uint8Array(200_000).fill(7) };
  const stored = await writeValue(id, accountId, given);
  const kept = () => connectedDatabase().collection('files.files').countDocuments({ 'metadata.accountId': accountId });
  expect(await kept()).toBe(1);
  expect(await readValue(id, stored)).toEqual(given);
  await dropValues([stored, null]);
  expect(await kept()).toBe(0);
});

test('an error arrives as the error that it was', () => {
  const refused = readFault(describeFault(new AppError('too_many', { seconds: 5 }, { fields: { email: 'Wait.' } })));
  expect(refused).toMatchObject({ name: 'AppError', code: 'too_many', fields: { email: 'Wait.' } });
  expect(refused.message).toContain('5 seconds');
  expect(readFault(describeFault(new FileError('too_slow', 'Split it.'), OWN), OWN)).toMatchObject({
    ...{ name: 'FileError', code: 'too_slow', message: 'Split it.' },
  });
});

test.each([
  ['a fault of the store', Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:27017'), { code: 'ECONNREFUSED' })],
  ['a fault of our own', new TypeError("Cannot read properties of undefined (reading 'sheet')")],
  ['anything else that is thrown', 'gone'],
])('%s is no error for people: its text stays in the worker', (_what, error) => {
  const stored = describeFault(error, OWN);
  expect(stored).toBeNull();
  const read = readFault(stored, OWN);
  expect(read).not.toBeInstanceOf(FileError);
  expect(read.message).toBe('What was handed to a worker failed there.');
});
