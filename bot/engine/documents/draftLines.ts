/** A line of a draft's text: a paragraph, a heading (levels 1 to 3) or an item of a list. */
export type DraftLine =
  | { kind: 'paragraph' | 'item'; text: string }
  | { kind: 'heading'; level: 1 | 2 | 3; text: string };

function readLine(line: string): DraftLine {
  const [, marks = '', heading = ''] = /^(#{1,6})\s+(\S.*)$/.exec(line) ?? [];
  if (marks) return { kind: 'heading', level: Math.min(3, marks.length) as 1 | 2 | 3, text: heading };
  const [, item] = /^\s*(?:[-*•]|\d+\.)\s+(\S.*)$/.exec(line) ?? [];
  return item === undefined ? { kind: 'paragraph', text: line } : { kind: 'item', text: item };
}

/** The lines of a draft's text (`RemoteDraft`), without empty ones. */
export const readDraftLines = (text: string): DraftLine[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean)
    .map(readLine);

/** The title of a page for a draft: its file name without the extension. */
export const titleOfDraft = (name: string): string => name.replace(/\.\w{2,4}$/, '');

/** What stands first in the page of a draft, with a link to Arc. */
export const introductionOf = (name: string, text: string | null): string =>
  text === null ? `${name} was made in Arc. The file itself is there: open Arc` : `${name} was made in Arc: open Arc`;
