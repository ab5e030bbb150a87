import type { AppError, ErrorCode } from '../../../models/contracts/errors.ts';
import type { MessageRow } from '../../../models/message.ts';
import { linkToChat } from './consent.ts';

/** Errors whose text may quote a customer's file, e.g. the name of a sheet or a column. */
const FROM_FILES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_file']);

/** ".docx, .md or .txt" in brackets after a space; empty where none are named. */
function typesOf(extensions: readonly string[]): string {
  const names = extensions.map((extension) => `.${extension}`);
  const last = names.at(-1);
  if (last === undefined) return '';
  return names.length === 1 ? ` (${last})` : ` (${names.slice(0, -1).join(', ')} or ${last})`;
}

/**
 * Replacement texts for an error where file content may not be sent; null where its own text contains none.
 * @param extensions of the files that the agent takes, without a point; none are named where there are none
 */
export function refusalUnder(
  { code }: Pick<AppError, 'code'>,
  extensions: readonly string[] = [],
): MessageRow['derived'] {
  if (!FROM_FILES.has(code)) return null;
  const text = `I could not use that file. Drop in another one${typesOf(extensions)}, or read in Arc what is wrong with this one: ${linkToChat()}`;
  return { redacted: text, reference: text };
}
