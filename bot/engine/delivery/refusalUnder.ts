import type { AppError, ErrorCode } from '../../../models/contracts/errors.ts';
import type { MessageRow } from '../../../models/message.ts';
import { linkToChat } from './consent.ts';

/** Errors whose sentence may hold words from a company's files, e.g. the name of a sheet or a column. */
const FROM_FILES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_file']);

/** What is said of an error where words from files may not leave; null where its own sentence may leave everywhere. */
export function refusalUnder({ code }: Pick<AppError, 'code'>): MessageRow['derived'] {
  if (!FROM_FILES.has(code)) return null;
  const text = `I could not use that file. Drop in another one (.xlsx, .xlsm, .xls or .csv), or read in Arc what is wrong with this one: ${linkToChat()}`;
  return { redacted: text, reference: text };
}
