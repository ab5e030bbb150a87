import type { WordBlock, WordDocument, WordRun } from '../../../engine/files/wordDocument.ts';
import type { Brief } from '../brief/readBrief.ts';
import type { Checked } from '../claims/checkClaims.ts';
import { EDITIONS, TO_CHECK } from '../claims/editions.ts';
import { type Copy, isGap, type Piece } from '../copy/composeCopy.ts';

/** The content of a document with copy. */
type CopyInput = {
  brief: Brief;
  checked: Checked;
  copy: Copy;
  title: string;
  /** Names of the documents that were read. */
  sources: readonly string[];
  /** The day it was made, for people. */
  day: string;
  /** Who approved it as final, and when, for people; null for a draft. */
  approval: { by: string; day: string } | null;
};

const gap = (what: string): WordRun => ({ text: `[To be filled: ${what}]`, gap: true });
const runOf = (piece: Piece): WordRun => (isGap(piece) ? gap(piece.gap) : piece.text);
const placeOf = (piece: Piece): string => (isGap(piece) ? '–' : piece.place);
const cell = (run: WordRun) => ({ lines: [[run]] });
const heading = (text: string, level: 1 | 2 = 1): WordBlock => ({ kind: 'heading', level, text });
const text = (...runs: WordRun[]): WordBlock => ({ kind: 'text', runs });

const share = (value: number): string => `${Number((value * 100).toFixed(2))}%`;

function planBlocks({ headlines, plan }: Copy): WordBlock[] {
  if (!headlines.isTestable)
    return [text('There is one headline only, so there is nothing to compare yet.'), text(gap('second headline'))];
  const { baseline, difference, visitors } = plan;
  const rows: [string, WordRun][] = [
    ['Question', 'Which headline brings more people to the call to action?'],
    ['A', runOf(headlines.a)],
    ['B', runOf(headlines.b)],
    ['The only difference', 'The headline. Everything else on the page stays the same.'],
    ['Measure', 'Visitors who follow the call to action, as a share of all visitors of that variant.'],
    ['Share today', baseline === null ? gap('baseline, e.g. “Baseline: 4%”') : share(baseline)],
    [
      'Smallest difference worth finding',
      difference === null ? gap('e.g. “Smallest difference: 1 point”') : `${share(difference)} points`.replace('%', ''),
    ],
    [
      'Visitors for each variant',
      visitors === null
        ? gap('follows from the two above')
        : `${visitors.toLocaleString('en-GB')} (two shares, two-sided error 5%, power 80%)`,
    ],
    ['Decide', 'Once both variants have that many visitors, and not before. No clear difference means: keep either.'],
  ];
  return [
    {
      kind: 'table',
      caption: 'A/B plan',
      head: ['What', 'Plan'],
      rows: rows.map(([label, run]) => [label, cell(run)]),
      widths: [3, 9],
      hasRowHeads: true,
    },
  ];
}

function evidenceBlocks({ written }: Checked): WordBlock[] {
  if (written.length === 0) return [text('No sentence of the documents could be used.')];
  return [
    {
      kind: 'table',
      caption: 'Each sentence that may be used, with what bears it',
      head: ['Sentence', 'Claim', 'Quote that bears it', 'Where'],
      rows: written.map((one) => [
        one.text,
        one.kind ?? 'what it does',
        one.evidence.text === one.text ? 'the sentence itself' : `“${one.evidence.text}”`,
        one.evidence.place,
      ]),
      widths: [5, 2, 5, 3],
    },
  ];
}

function flaggedBlocks({ flagged }: Checked): WordBlock[] {
  if (flagged.length === 0)
    return [text('Nothing was left out. Words were checked, and nobody has judged the claims.')];
  return [
    {
      kind: 'table',
      caption: 'Claims that are not in the copy',
      head: ['Claim', 'Where', 'Kind', 'Why', 'Rule'],
      rows: flagged.map((one) => [
        `“${one.text}”`,
        one.place,
        one.isMedical ? `${one.kind} (medical)` : one.kind,
        one.reason,
        one.rule ?? 'Arc’s own care',
      ]),
      widths: [4, 2, 2, 5, 4],
    },
  ];
}

/** The copy as a Word document: positioning, texts, A/B plan, evidence, and what was left out with its reason. */
export function composeDocument({ checked, copy, title, sources, day, approval }: CopyInput): WordDocument {
  const state = approval ? `Final, approved by ${approval.by}, ${approval.day}` : 'Draft, not approved';
  return {
    title,
    subtitle: 'Positioning and copy',
    state,
    cover: [
      { label: 'Made of', runs: [`${sources.join('; ')}, on ${day}, by rules and without a language model`] },
      { label: 'State', runs: [state] },
      { label: 'Left out', runs: [String(checked.flagged.length)] },
    ],
    footer: `${state}. Every sentence of the copy stands so in a document or in the request.`,
    author: 'Arc',
    parts: [
      {
        isLandscape: false,
        blocks: [
          heading('1. Positioning'),
          {
            kind: 'table',
            caption: 'Positioning, in the words of the documents',
            head: ['What', 'Words', 'Where'],
            rows: copy.positioning.map(({ label, piece }) => [label, cell(runOf(piece)), placeOf(piece)]),
            widths: [2, 7, 3],
            hasRowHeads: true,
          },
          heading('2. Copy'),
          heading('Headlines', 2),
          {
            kind: 'list',
            items: [
              [{ text: 'A: ', bold: true }, runOf(copy.headlines.a)],
              [{ text: 'B: ', bold: true }, runOf(copy.headlines.b)],
            ],
          },
          ...copy.texts.flatMap(({ title: name, parts }): WordBlock[] => [
            heading(name, 2),
            ...parts.flatMap(({ label, pieces }): WordBlock[] => [
              text({ text: label, bold: true }),
              ...(label === 'Points'
                ? [{ kind: 'list' as const, items: pieces.map((piece) => [runOf(piece)]) }]
                : pieces.map((piece) => text(runOf(piece)))),
            ]),
          ]),
          heading('3. A/B plan'),
          ...planBlocks(copy),
        ],
      },
      {
        isLandscape: true,
        blocks: [
          heading('4. Evidence for each sentence'),
          ...evidenceBlocks(checked),
          heading('5. What was left out, and why'),
          ...flaggedBlocks(checked),
          heading('6. Rules and limits'),
          { kind: 'list', items: [...Object.values(EDITIONS).map((edition) => [edition]), [TO_CHECK]] },
        ],
      },
    ],
  };
}
