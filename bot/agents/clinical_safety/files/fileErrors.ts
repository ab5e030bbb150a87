import { AppError } from '../../../../models/contracts/errors.ts';
import { FileError } from '../../../engine/files/fileError.ts';

/** Turns what the hazard engine says of a file into the product's own error; anything else passes through. */
export function translateFileError(error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  if (error.code === 'cancelled') return new AppError('cancelled', {}, { cause: error });
  return new AppError(
    'invalid_file',
    { text: error.message },
    { fields: { hazardLogFile: error.message }, cause: error },
  );
}

/** Runs work on a file and translates what it throws. */
export async function withFileErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateFileError(error);
  }
}
