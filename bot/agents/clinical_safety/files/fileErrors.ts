import { AppError } from '../../../../models/contracts/errors.ts';
import { FileError } from '../../../engine/files/fileError.ts';

/** Turns a FileError into an AppError; any other error is returned unchanged. */
export function translateFileError(error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  if (error.code === 'cancelled') return new AppError('cancelled', {}, { cause: error });
  return new AppError(
    'invalid_file',
    { text: error.message },
    { fields: { hazardLogFile: error.message }, cause: error },
  );
}

/** Awaits work on a file and translates its errors. */
export async function withFileErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateFileError(error);
  }
}
