import { makeSources } from '../../../engine/agents/sourceDocument.ts';

/** The kind under which uploads and pasted texts for this agent are kept. */
export const SOURCE_KIND = 'process-description';

/** Where descriptions come from. */
export const sources = makeSources({
  kind: SOURCE_KIND,
  isReadable: (name) => /\.(?:docx|md|txt)$/i.test(name),
});
