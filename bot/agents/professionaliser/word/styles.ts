import { attributeOf, childrenOf, parseXml, type XmlElement } from './xml.ts';

const STYLES = 'word/styles.xml';
const NUMBERING = 'word/numbering.xml';
const RELATIONS = 'word/_rels/document.xml.rels';
const TYPES = '[Content_Types].xml';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Deepest level that is numbered. */
export const MAX_LEVELS = 4;

/** The heading styles of a document. */
export type HeadingStyles = {
  /** Level of a heading, from 0, by the id of its style. */
  levels: ReadonlyMap<string, number>;
  /** Id of the style of its title; null where it has none. */
  title: string | null;
  /** Id of the heading style of each level; null where it has none. */
  ids: readonly (string | null)[];
  /** Whether its heading styles number themselves. */
  isNumbered: boolean;
};

const nameOf = (style: XmlElement): string =>
  (attributeOf(childrenOf(style, 'w:name')[0] ?? style, 'w:val') ?? '').toLowerCase();

/** Reads the heading styles of a document's part of styles. */
export function readHeadingStyles(styles: string | null): HeadingStyles {
  const [root] = styles === null ? [] : parseXml(styles).filter((node) => typeof node !== 'string');
  const found = root && typeof root !== 'string' ? childrenOf(root, 'w:style') : [];
  const levels = new Map<string, number>();
  const ids: (string | null)[] = Array.from({ length: MAX_LEVELS }, () => null);
  let [title, isNumbered]: [string | null, boolean] = [null, false];
  for (const style of found) {
    const [id, name] = [attributeOf(style, 'w:styleId'), nameOf(style)];
    if (id === null || attributeOf(style, 'w:type') === 'character') continue;
    const level = /^heading ([1-9])$/.exec(name)?.[1];
    if (name === 'title') title = id;
    if (level === undefined) continue;
    levels.set(id, Number(level) - 1);
    if (Number(level) <= MAX_LEVELS) ids[Number(level) - 1] = id;
    const properties = childrenOf(style, 'w:pPr')[0];
    isNumbered ||= properties !== undefined && childrenOf(properties, 'w:numPr').length > 0;
  }
  return { levels, title, ids, isNumbered };
}

const SIZES = [32, 26, 23, 22];

const headingStyle = (level: number): string =>
  `<w:style w:type="paragraph" w:styleId="ArcHeading${level + 1}"><w:name w:val="heading ${level + 1}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="${level === 0 ? 320 : 220}" w:after="100"/><w:outlineLvl w:val="${level}"/></w:pPr><w:rPr><w:b/><w:sz w:val="${SIZES[level]}"/></w:rPr></w:style>`;

const numberText = (level: number): string => Array.from({ length: level + 1 }, (_, at) => `%${at + 1}`).join('.');

/** The numbering of headings: 1, 1.1, 1.1.1. */
const abstractNumbering = (id: number): string =>
  `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${Array.from(
    { length: MAX_LEVELS },
    (_, level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${numberText(level)}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${level === 0 ? 567 : 709}" w:hanging="${level === 0 ? 567 : 709}"/></w:pPr></w:lvl>`,
  ).join('')}</w:abstractNum>`;

const nextId = (text: string, pattern: RegExp): number =>
  Math.max(0, ...[...text.matchAll(pattern)].map(([, id]) => Number(id))) + 1;

const beforeEnd = (text: string, element: string, added: string): string => {
  const at = text.lastIndexOf(`</${element}>`);
  return at === -1 ? text : text.slice(0, at) + added + text.slice(at);
};

/** What the headings of the new document use, and the parts that say so. */
type HeadingSetup = { ids: string[]; numberingId: string; parts: Map<string, string> };

/**
 * Gives a document heading styles where it lacks some, and a numbering of its headings.
 * @param part reads a part of the document
 */
export function setUpHeadings(part: (name: string) => string | null, standing: HeadingStyles): HeadingSetup {
  const parts = new Map<string, string>();
  const ids = standing.ids.map((id, level) => id ?? `ArcHeading${level + 1}`);
  const missing = standing.ids.flatMap((id, level) => (id === null ? [headingStyle(level)] : [])).join('');
  const styles = part(STYLES);
  if (missing !== '' && styles !== null) parts.set(STYLES, beforeEnd(styles, 'w:styles', missing));
  const before = part(NUMBERING);
  const numbering = before ?? `<w:numbering xmlns:w="${WORD}"></w:numbering>`;
  const abstractId = nextId(numbering, /w:abstractNumId="(\d+)"/g) + 1;
  const numberingId = nextId(numbering, /w:numId="(\d+)"/g) + 1;
  const firstNumber = numbering.search(/<w:num[\s>]/);
  const abstractAt = firstNumber === -1 ? numbering.lastIndexOf('</w:numbering>') : firstNumber;
  const withAbstract = numbering.slice(0, abstractAt) + abstractNumbering(abstractId) + numbering.slice(abstractAt);
  const number = `<w:num w:numId="${numberingId}"><w:abstractNumId w:val="${abstractId}"/></w:num>`;
  const cleanup = withAbstract.indexOf('<w:numIdMacAtCleanup');
  parts.set(
    NUMBERING,
    cleanup === -1
      ? beforeEnd(withAbstract, 'w:numbering', number)
      : withAbstract.slice(0, cleanup) + number + withAbstract.slice(cleanup),
  );
  if (before === null) addPart(part, parts);
  return { ids, numberingId: String(numberingId), parts };
}

/** Names the new part of numbering where a package lists its parts. */
function addPart(part: (name: string) => string | null, parts: Map<string, string>): void {
  const [types, relations] = [part(TYPES), part(RELATIONS)];
  if (types !== null)
    parts.set(
      TYPES,
      beforeEnd(
        types,
        'Types',
        `<Override PartName="/${NUMBERING}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>`,
      ),
    );
  const relation = `<Relationship Id="arcNumbering" Type="${OFFICE}/numbering" Target="numbering.xml"/>`;
  parts.set(
    RELATIONS,
    relations === null
      ? `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`
      : beforeEnd(relations, 'Relationships', relation),
  );
}
