import { AppError, type ErrorCode } from '../../../models/contracts/errors.ts';

/**
 * An error as it is handed from one process to another: one of the registry, with its values, or one of the task's own,
 * with a text for people. null for any other, whose text stays in the log of the process that it happened in.
 */
export type Fault =
  | { code: string; values: AppError['values']; fields: Record<string, string> | undefined }
  | { code: string; message: string }
  | null;

/** The errors of a task that are none of the registry, and have a text for people. */
export type OwnErrors = {
  is(error: unknown): error is Error & { code: string };
  make(code: string, message: string): Error;
};

/** Describes an error for another process. */
export function describeFault(error: unknown, own?: OwnErrors): Fault {
  if (error instanceof AppError) return { code: error.code, values: error.values, fields: error.fields };
  return own?.is(error) ? { code: error.code, message: error.message } : null;
}

/** The error that a fault describes. */
export function readFault(fault: Fault, own?: OwnErrors): Error {
  if (fault && 'values' in fault) {
    const { code, values, fields } = fault;
    return new AppError(code as ErrorCode, values, fields ? { fields } : {});
  }
  return (fault && own?.make(fault.code, fault.message)) ?? new Error('What was handed to a worker failed there.');
}
