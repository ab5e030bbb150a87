import { describeDue } from '../surveillance/describeDue.ts';
import type { FileContent } from './content.ts';
import { evidencePieces } from './evidencePieces.ts';
import { list, type Piece, type Section, text, toWrite } from './section.ts';

/** What the surveillance plan has to address: Annex III, 1.1. */
const PLAN: readonly [number: string, title: string, write: string][] = [
  [
    'III 1.1(a)',
    'Information that is collected: incidents, side-effects, trends, literature, complaints, similar devices',
    'Each source, who reads it and how often.',
  ],
  ['III 1.1(b), process', 'A proactive and systematic process', 'The process, from a report to a decision.'],
  ['III 1.1(b), methods', 'Methods to assess what is collected', 'The methods.'],
  [
    'III 1.1(b), thresholds',
    'Indicators and thresholds for the benefit-risk analysis',
    'Each indicator with its threshold.',
  ],
  ['III 1.1(b), complaints', 'Methods to investigate complaints and experience', 'The methods and the tools.'],
  ['III 1.1(b), trends', 'Trend reporting (Article 88)', 'How a significant increase is found, and over which period.'],
  [
    'III 1.1(b), communication',
    'Communication with authorities, notified body, economic operators and users',
    'Who tells whom, and how.',
  ],
  ['III 1.1(b), procedures', 'Procedures for Articles 83, 84 and 86', 'The procedures, by id.'],
  ['III 1.1(b), corrections', 'Corrective measures', 'How they are found and started.'],
  ['III 1.1(b), tracing', 'Tracing devices that need a correction', 'The tools.'],
];

/** Annex III: surveillance after the product is on the market. */
export function composeSurveillance({ evidence, due }: FileContent): Section[] {
  const part = (number: string, title: string, pieces: Piece[]): Section => ({ number, title, level: 2, pieces });
  return [
    {
      number: 'III 1',
      title: 'Post-market surveillance',
      level: 1,
      pieces: evidencePieces(evidence, ['surveillance-plan']),
    },
    ...PLAN.map(([number, title, write]) => part(number, title, [toWrite(write)])),
    part('III 1.1(b), follow-up', 'Post-market clinical follow-up', [...evidencePieces(evidence, ['follow-up'])]),
    part('III 1.2', 'Periodic safety update report (Article 86), or surveillance report (Article 85)', [
      ...(due.length > 0 ? [list(due.map(describeDue))] : [text('No report is counted: no class is settled yet.')]),
      ...evidencePieces(evidence, ['surveillance-report']),
    ]),
  ];
}
