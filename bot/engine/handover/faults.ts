import { AppError, type ErrorCode } from '../../../models/contracts/errors.ts';

/** An error as it is handed from one process to another. `values` only of an error of the registry. */
export type Fault = {
  code: string;
  message: string;
  values?: AppError['values'];
  fields?: Record<string, string>;
};

/** Describes an error for another process. */
export function describeFault(error: unknown): Fault {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const own =
    error instanceof AppError ? { values: error.values, ...(error.fields ? { fields: error.fields } : {}) } : {};
  return { code: String(code ?? 'internal'), message: String(message ?? error), ...own };
}

/**
 * The error that a fault describes.
 * @param own makes one of the task's own errors of it, where it is not one of the registry
 */
export function readFault(fault: Fault, own: (fault: Fault) => Error = ({ message }) => new Error(message)): Error {
  const { code, values, fields } = fault;
  return values ? new AppError(code as ErrorCode, values, fields ? { fields } : {}) : own(fault);
}
