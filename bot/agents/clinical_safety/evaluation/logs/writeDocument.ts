import { makeEntry, writeZip } from '../../../../engine/files/zipArchive.ts';
import { escapeXml } from '../../ooxml/xmlText.ts';

/** A block of a made-up Word document: a heading, a paragraph, an item of a list, or a table of cells. */
export type Block =
  | { heading: string; level?: number }
  | { paragraph: string }
  | { item: string }
  | { table: readonly (readonly (string | number)[])[] };

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const run = (text: string) =>
  `<w:r>${text
    .split('\n')
    .map((line) => `<w:t xml:space="preserve">${escapeXml(line)}</w:t>`)
    .join('<w:br/>')}</w:r>`;
const paragraph = (text: string, properties = '') =>
  `<w:p>${properties ? `<w:pPr>${properties}</w:pPr>` : ''}${text ? run(text) : ''}</w:p>`;

function write(block: Block): string {
  if ('heading' in block) return paragraph(block.heading, `<w:pStyle w:val="Kop${block.level ?? 1}"/>`);
  if ('item' in block) return paragraph(block.item, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  if ('paragraph' in block) return paragraph(block.paragraph);
  const rows = block.table.map(
    (row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(String(cell))}</w:tc>`).join('')}</w:tr>`,
  );
  return `<w:tbl>${rows.join('')}</w:tbl>`;
}

/** A Word document whose headings have styles by the names of another language, as Word writes them. @param body more of its XML */
export function writeDocument(blocks: readonly Block[], body = ''): Uint8Array<ArrayBuffer> {
  const styles = [1, 2, 3]
    .map((level) => `<w:style w:type="paragraph" w:styleId="Kop${level}"><w:name w:val="heading ${level}"/></w:style>`)
    .join('');
  return writeZip([
    makeEntry('[Content_Types].xml', '<Types/>'),
    makeEntry('word/styles.xml', `<w:styles xmlns:w="${MAIN}">${styles}</w:styles>`),
    makeEntry(
      'word/document.xml',
      `<w:document xmlns:w="${MAIN}"><w:body>${blocks.map(write).join('')}${body}</w:body></w:document>`,
    ),
  ]);
}
