import type { TextBlock } from '../reading/textBlocks.ts';
import { withoutPlaceholders } from './placeholders.ts';

/** A section that a report has: its id, name for people, the clause of DCB0129 behind it, and words of its heading. */
type Expected = { id: string; name: string; clause: string | null; heading: RegExp; isCore?: true; isOptional?: true };

/** In the order of the NHS report. Core sections are those that no other document has together. */
export const SECTIONS: readonly Expected[] = [
  {
    id: 'document-control',
    name: 'Document control',
    clause: '7.3.4',
    heading: /\bdocument (?:controls?|management|history)\b|\b(?:revision|version) (?:history|control)\b/,
  },
  {
    id: 'introduction',
    name: 'Introduction',
    clause: '3.5.1',
    heading: /^(?:introduction|purpose|executive summary)\b/,
  },
  {
    id: 'system',
    name: 'System definition',
    clause: '4.2.1',
    heading: /\b(?:system|product|device|solution) (?:definition|description|overview)\b|^overview\b/,
  },
  {
    id: 'scope',
    name: 'Scope and intended use',
    clause: '4.2.2',
    heading: /^(?:clinical )?scope\b|\bintended (?:use|purpose)\b/,
  },
  {
    id: 'management',
    name: 'Clinical risk management system',
    clause: '2.1.1',
    heading: /\b(?:clinical )?(?:risk|safety) management (?:system|process|governance|team)\b/,
    isCore: true,
  },
  {
    id: 'analysis',
    name: 'Clinical risk analysis',
    clause: '4.3.1',
    heading: /\brisk analysis\b|\bhazard (?:identification|analysis)\b/,
    isCore: true,
  },
  {
    id: 'evaluation',
    name: 'Clinical risk evaluation',
    clause: '5.1.1',
    heading: /\brisk (?:\w+, ?)?(?:analysis,? (?:and )?)?evaluation\b/,
    isCore: true,
  },
  {
    id: 'control',
    name: 'Clinical risk control',
    clause: '6.1.1',
    heading: /\brisk (?:\w+, ?\w+,? (?:and )?)?controls?\b|\brisk mitigation\b/,
    isCore: true,
  },
  {
    id: 'hazard-log',
    name: 'Hazard log summary',
    clause: '3.3.3',
    heading: /\bhazard (?:log|register|summary)\b|\bsummary of (?:the )?(?:log|hazards)\b/,
    isCore: true,
  },
  {
    id: 'test',
    name: 'Test issues',
    clause: '6.3.2',
    heading: /^test(?:ing)?\b.{0,20}\b(?:issues?|results?)\b|\b(?:outstanding|open|known) issues\b/,
  },
  {
    id: 'statement',
    name: 'Summary safety statement',
    clause: '3.5.2',
    heading: /\bsafety statement\b|\bsummary statement\b|^(?:safety )?conclusions?\b/,
    isCore: true,
  },
  {
    id: 'approval',
    name: 'Quality assurance and approval',
    clause: '3.5.2',
    heading: /\bquality assurance\b|\bdocument approval\b|^approvals?\b/,
  },
  { id: 'configuration', name: 'Configuration control', clause: '7.1.3', heading: /\bconfiguration\b/ },
  {
    id: 'transferred',
    name: 'Controls that others put in place',
    clause: '6.3.1',
    heading: /\b(?:transferred|external) (?:controls?|hazards?|risks?)\b|\bcontrols that others\b/,
    isOptional: true,
  },
];

/** A heading without its number, marks and case. */
const plain = (heading: string): string =>
  heading
    .replace(/^[\d.\s)]{1,12}/, '')
    .replace(/[*_#`]/g, '')
    .trim()
    .toLowerCase();

/** A line that is a section's name and hardly more, in a text without marks for headings. */
export function isSectionHeading(line: string): boolean {
  if (/[.;:,]$/.test(line) || !/^[A-Z\d]/.test(line)) return false;
  const words = plain(line);
  return words.split(/\s+/).length <= 8 && SECTIONS.some(({ heading }) => heading.test(words));
}

export type FoundSection = {
  id: string;
  name: string;
  clause: string | null;
  /** empty: its heading is there, and under it nothing but what a template says or leaves open. */
  state: 'found' | 'empty' | 'missing';
  /** The heading as written; null where it is missing. */
  heading: string | null;
};

/** Instructions of the usual template, which are no content. */
const INSTRUCTION =
  /^(?:_[^_]{10,2000}_|summary of any outstanding test issues.*|statement from the clinical safety officer summari[sz]ing.*|evidence of appropriate (?:quality|configuration).*|whether the risks of this release .* arc makes no statement\.|the intended deployment\.?|purpose of the clinical safety case report and phase.*)$/i;
/** A section with fewer characters counts as empty. */
const MIN_CONTENT = 40;
/** Characters that a table row with two filled cells counts for. */
const ROW_CONTENT = 20;

/** A paragraph over several lines in italics is one instruction. */
const withoutItalics = (text: string): string => text.replace(/(?:^|\n)_[^_]{10,2000}_(?=\s|$)/g, '\n');

/** The number of characters under a heading that are content. */
function contentOf(blocks: readonly TextBlock[]): number {
  const lines = blocks.map((block) => ('table' in block ? '' : block.text));
  const rows = blocks.flatMap((block) => ('table' in block ? block.table.slice(1) : []));
  const filled = rows.filter((row) => row.filter((cell) => withoutPlaceholders(cell).trim()).length >= 2).length;
  const said = withoutItalics(`\n${lines.join('\n')}`)
    .split('\n')
    .filter((line) => !INSTRUCTION.test(line.trim()));
  return withoutPlaceholders(said.join(' ')).replace(/[^\p{L}\p{N}]/gu, '').length + filled * ROW_CONTENT;
}

/** The blocks under a heading, with those of its subheadings. */
function under(blocks: readonly TextBlock[], at: number): TextBlock[] {
  const own = blocks[at];
  const level = own && 'heading' in own ? (own.heading ?? 1) : 1;
  const rest = blocks.slice(at + 1);
  const end = rest.findIndex((block) => 'heading' in block && block.heading !== null && block.heading <= level);
  return end === -1 ? rest : rest.slice(0, end);
}

/** The expected sections of a report, each with its heading and whether something stands under it. */
export function findSections(blocks: readonly TextBlock[]): FoundSection[] {
  const headings = blocks.flatMap((block, at) =>
    'heading' in block && block.heading !== null ? [{ at, text: block.text, words: plain(block.text) }] : [],
  );
  return SECTIONS.flatMap(({ id, name, clause, heading, isOptional }): FoundSection[] => {
    const own = headings.filter(({ words }) => heading.test(words));
    const full = own.find(({ at }) => contentOf(under(blocks, at)) >= MIN_CONTENT);
    const [first] = own;
    const found = full ?? first;
    if (!found) return isOptional ? [] : [{ id, name, clause, state: 'missing', heading: null }];
    return [{ id, name, clause, state: full ? 'found' : 'empty', heading: found.text.slice(0, 200) }];
  });
}

/** The text under the first heading of a section; null where it has none. */
export function textOfSection(blocks: readonly TextBlock[], id: string): string | null {
  const expected = SECTIONS.find((section) => section.id === id);
  const at = blocks.findIndex(
    (block) => 'heading' in block && block.heading !== null && expected?.heading.test(plain(block.text)),
  );
  if (at === -1) return null;
  return under(blocks, at)
    .map((block) => ('table' in block ? block.table.flat().join('\n') : block.text))
    .join('\n');
}
