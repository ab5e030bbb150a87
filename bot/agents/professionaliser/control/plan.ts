import {
  type ControlRow,
  type ControlValues,
  FIELDS,
  makeControlRows,
  readDocumentValues,
} from '../rules/controlFields.ts';
import { type Outline, readOutline, sectionOf } from '../rules/headings.ts';
import { findOpenPoints, type OpenPoint } from '../rules/openPoints.ts';
import { readTerms, type Terms } from '../rules/terms.ts';
import type { WordFile } from '../word/openDocument.ts';
import { readWordPart } from '../word/openDocument.ts';
import { isEditable, type Paragraph } from '../word/paragraphs.ts';
import { type HeadingStyles, readHeadingStyles } from '../word/styles.ts';
import type { Edit } from '../word/trackChanges.ts';
import { type Change, planText } from './planText.ts';

/** Every change to a document, planned before anything is written. */
export type Plan = {
  title: string;
  outline: Outline;
  styles: HeadingStyles;
  terms: Terms;
  control: readonly ControlRow[];
  openPoints: readonly OpenPoint[];
  /** Edits of the text, by paragraph. */
  edits: ReadonlyMap<number, readonly Edit[]>;
  /** Paragraphs that the control block replaces. */
  moved: readonly number[];
  /** Headings whose style or number is set. */
  formatted: ReadonlySet<number>;
  changes: readonly Change[];
};

/** What a person decided, or gave with the request. */
export type Given = {
  values: ControlValues;
  /** The spelling that stands, by the key of its letters; null where the person does not know. */
  chosen: Readonly<Record<string, string | null>>;
};

/** Files are called by their names where the document has no title. */
const titleFromName = (name: string): string =>
  name
    .replace(/\.\w{2,4}$/, '')
    .replace(/[_]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim() || 'Document';

/** A heading that was typed or made bold gets its style; every heading gets its number, unless the styles number. */
function planFormats({ headings }: Outline, { isNumbered }: HeadingStyles): Set<number> {
  return new Set(
    headings.filter(({ by, number }) => by !== 'style' || (number !== null && !isNumbered)).map(({ at }) => at),
  );
}

const numberOf = ({ number, text }: Outline['headings'][number]): string => (number ? `${number} ${text}` : text);

function headingChanges(outline: Outline, formatted: ReadonlySet<number>, paragraphs: readonly Paragraph[]): Change[] {
  const how = { style: 'Numbered', number: 'Made a heading', bold: 'Made a heading', capitals: 'Made a heading' };
  return outline.headings
    .filter(({ at }) => formatted.has(at))
    .map((heading) => ({
      kind: 'heading' as const,
      where: [heading.number ?? ''],
      from: paragraphs[heading.at]?.text.trim() ?? '',
      to: numberOf(heading),
      why: `${how[heading.by]}, level ${heading.level + 1}${heading.typed ? '; its typed number is replaced' : ''}.`,
    }));
}

/** The parts of the file that are kept unchanged and were not read. */
function keptPoints({ unread }: WordFile): OpenPoint[] {
  const point = (count: number, one: string, many: string): OpenPoint[] =>
    count === 0
      ? []
      : [
          {
            kind: 'kept',
            section: null,
            words: `${count} ${count === 1 ? one : many}`,
            why: 'Kept as they are, and not read: check them for numbers, dates and names.',
          },
        ];
  return [
    ...point(unread.pictures, 'picture or drawing', 'pictures or drawings'),
    ...point(unread.notes, 'footnote or endnote', 'footnotes or endnotes'),
    ...point(unread.comments, 'comment', 'comments'),
  ];
}

/**
 * Plans the changes to a document. Decisions stay with people: spellings that the document does not define change only as
 * `given.chosen` says.
 */
export function planDocument(file: WordFile, name: string, given: Given): Plan {
  const { paragraphs } = file;
  const styles = readHeadingStyles(readWordPart(file, 'word/styles.xml'));
  const outline = readOutline(paragraphs, styles);
  const headingAts = new Set(outline.headings.map(({ at }) => at));
  const title = outline.titleAt === null ? titleFromName(name) : (paragraphs[outline.titleAt]?.text.trim() ?? '');
  const { values, lines, disagree } = readDocumentValues(paragraphs, outline.headings[0]?.at ?? null);
  const control = makeControlRows(given.values, values, disagree);
  const moved = lines.filter(
    ({ at }) =>
      !paragraphs[at]?.hasMore && isEditable(paragraphs[at] as Paragraph, 0, paragraphs[at]?.text.length ?? 0),
  );
  const terms = readTerms(paragraphs, headingAts);
  const formatted = planFormats(outline, styles);
  const isMoved = new Set(moved.map(({ at }) => at));
  const text = planText(
    paragraphs.filter(({ at }) => !isMoved.has(at)),
    { outline, terms, chosen: given.chosen, formatted },
  );
  const section = (at: number) => sectionOf(outline, at);
  return {
    title,
    outline,
    styles,
    terms,
    control,
    openPoints: [
      ...findOpenPoints(paragraphs, outline),
      ...terms.unexplained.map(
        ({ text: words, at }): OpenPoint => ({
          kind: 'abbreviation',
          section: section(at),
          words,
          why: 'An abbreviation that is not explained anywhere.',
        }),
      ),
      ...text.open,
      ...keptPoints(file),
    ],
    edits: text.edits,
    moved: [...isMoved],
    formatted,
    changes: [
      ...headingChanges(outline, formatted, paragraphs),
      ...text.changes,
      ...moved.map(
        ({ at, field }): Change => ({
          kind: 'moved',
          where: [section(at) ?? ''],
          from: paragraphs[at]?.text.trim() ?? '',
          to: `Control block, ${FIELDS[field].label}`,
          why: 'The control block says it in one place.',
        }),
      ),
    ],
  };
}
