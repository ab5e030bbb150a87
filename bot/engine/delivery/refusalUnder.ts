import type { AppError, ErrorCode } from '../../../models/contracts/errors.ts';
import type { MessageRow } from '../../../models/message.ts';
import { linkToChat } from './consent.ts';

/** Errors whose text may quote a customer's file, e.g. the name of a sheet or a column. */
const FROM_FILES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_file']);

/** Replacement texts for an error where file content may not be sent; null where its own text contains none. */
export function refusalUnder({ code }: Pick<AppError, 'code'>): MessageRow['derived'] {
  if (!FROM_FILES.has(code)) return null;
  const text = `I could not use that file. Drop in another one (.xlsx, .xlsm, .xls or .csv), or read in Arc what is wrong with this one: ${linkToChat()}`;
  return { redacted: text, reference: text };
}
