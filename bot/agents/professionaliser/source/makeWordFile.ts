import { makeEntry, writeZip } from '../../../engine/files/zipArchive.ts';
import { encodeText } from '../word/xml.ts';
import type { PlainBlock, PlainRun } from './plainBlocks.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const ML = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const MAX_LEVEL = 3;

const runXml = ({ text, bold }: PlainRun): string =>
  text
    .split('\n')
    .map(
      (line, at) =>
        `<w:r>${bold ? '<w:rPr><w:b/></w:rPr>' : ''}${at > 0 ? '<w:br/>' : ''}<w:t xml:space="preserve">${encodeText(line)}</w:t></w:r>`,
    )
    .join('');

const paragraphXml = (runs: readonly PlainRun[], properties = ''): string =>
  `<w:p>${properties ? `<w:pPr>${properties}</w:pPr>` : ''}${runs.map(runXml).join('')}</w:p>`;

function blockXml(block: PlainBlock): string {
  switch (block.kind) {
    case 'heading':
      return paragraphXml(block.runs, `<w:pStyle w:val="Heading${Math.min(block.level, MAX_LEVEL) + 1}"/>`);
    case 'text':
      return paragraphXml(block.runs);
    case 'item': {
      const indent = `<w:ind w:left="${425 + 425 * block.depth}" w:hanging="425"/>`;
      return paragraphXml([{ text: `${block.marker} `, bold: false }, ...block.runs], indent);
    }
    case 'table': {
      const columns = Math.max(1, ...block.rows.map((row) => row.length));
      const width = Math.floor(9000 / columns);
      const rows = block.rows.map(
        (row) =>
          `<w:tr>${row.map((runs) => `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${paragraphXml(runs)}</w:tc>`).join('')}</w:tr>`,
      );
      const edge = (name: string) => `<w:${name} w:val="single" w:sz="4" w:space="0" w:color="A6B1BB"/>`;
      const edges = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(edge).join('');
      return `<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/><w:tblBorders>${edges}</w:tblBorders></w:tblPr><w:tblGrid>${`<w:gridCol w:w="${width}"/>`.repeat(columns)}</w:tblGrid>${rows.join('')}</w:tbl>${paragraphXml([])}`;
    }
  }
}

const style = (id: string, name: string, paragraph: string, run: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`;

const SIZES = [32, 26, 23, 22];
const STYLES = `${HEAD}<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/><w:sz w:val="21"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>${style('Title', 'Title', '<w:spacing w:after="200"/>', '<w:b/><w:sz w:val="44"/>')}${SIZES.map(
  (size, level) =>
    style(
      `Heading${level + 1}`,
      `heading ${level + 1}`,
      `<w:keepNext/><w:spacing w:before="${level === 0 ? 320 : 220}" w:after="100"/><w:outlineLvl w:val="${level}"/>`,
      `<w:b/><w:sz w:val="${size}"/>`,
    ),
).join('')}</w:styles>`;

const TYPES = `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${ML}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${ML}.styles+xml"/></Types>`;
const ROOT = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`;
const RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;
const PAGE =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1418" w:right="1418" w:bottom="1418" w:left="1418" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr>';

/** A plain document as a Word file, so that everything is controlled in one way. Nothing is marked as changed yet. */
export function makeWordFile(blocks: readonly PlainBlock[]): Uint8Array {
  const document = `${HEAD}<w:document xmlns:w="${WORD}"><w:body>${blocks.map(blockXml).join('')}${PAGE}</w:body></w:document>`;
  return writeZip(
    [
      ['[Content_Types].xml', TYPES],
      ['_rels/.rels', ROOT],
      ['word/document.xml', document],
      ['word/styles.xml', STYLES],
      ['word/_rels/document.xml.rels', RELATIONS],
    ].map(([name = '', content = '']) => makeEntry(name, content)),
  );
}
