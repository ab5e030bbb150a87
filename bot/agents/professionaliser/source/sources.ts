import { makeSources } from '../../../engine/agents/sourceDocument.ts';
import { readRequestValues } from '../rules/controlFields.ts';
import { isControllable } from './readSource.ts';

/** The kind under which uploads and pasted texts for this agent are kept. */
export const SOURCE_KIND = 'rough-document';

/** Lines that fill the control block belong to the request. */
export const sources = makeSources({
  kind: SOURCE_KIND,
  isReadable: isControllable,
  isOfRequest: (line) => Object.keys(readRequestValues(line)).length > 0,
});
