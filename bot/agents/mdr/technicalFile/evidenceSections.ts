import { factOf } from '../facts/facts.ts';
import type { FileContent } from './content.ts';
import { evidencePieces } from './evidencePieces.ts';
import { type Piece, type Section, text, toWrite } from './section.ts';

/** The documents that a safety class asks for, by IEC 62304. */
const BY_SAFETY_CLASS = {
  A: 'Class A asks for a development plan, requirements, tests of the system, a list of known anomalies, configuration and problem resolution.',
  B: 'Class B asks, beyond class A, for the architecture, and for units to be verified.',
  C: 'Class C asks, beyond class B, for the detailed design.',
} as const;

/** Annex II, 3 to 6. */
export function composeEvidence({ facts, classification, checklist, evidence }: FileContent): Section[] {
  const { counts } = checklist;
  const { software } = classification;
  const part = (number: string, title: string, pieces: Piece[]): Section => ({ number, title, level: 2, pieces });
  const notOfSoftware = (what: string) => text(`Not applicable: software on its own ${what}.`);
  return [
    { number: 'II 3', title: 'Design and manufacturing', level: 1, pieces: [] },
    part('II 3(a)', 'Stages of design', [
      ...evidencePieces(evidence, ['development-plan', 'requirements']),
      toWrite('The stages of design as they were.'),
    ]),
    part('II 3(b)', 'Processes and their validation', [
      ...evidencePieces(evidence, ['quality-system', 'maintenance']),
      toWrite('How a release is built, checked and delivered.'),
    ]),
    part('II 3(c)', 'Sites, suppliers and sub-contractors', [
      toWrite('Every site and supplier with its part in design and production, cloud hosting among them.'),
    ]),
    {
      number: 'II 4',
      title: 'General safety and performance requirements',
      level: 1,
      pieces: [
        text(
          `The checklist beside this document goes through ${counts.all} numbers of Annex I: ${counts.applies} apply, ${counts.not} do not, ${counts.open} are open. For ${counts.withGap} that apply, an expected document was not found.`,
        ),
      ],
    },
    part('II 4(a)', 'Which apply, and why others do not', [
      text('In the checklist, columns “Applies” and “Why”.'),
      ...(counts.open > 0 ? [toWrite(`A decision on the ${counts.open} open numbers.`)] : []),
    ]),
    part('II 4(b)', 'Methods used for each', [toWrite('The method for each number that applies.')]),
    part('II 4(c)', 'Standards, common specifications and other solutions', [
      text(
        'Usual for software: EN ISO 14971, EN 62304, EN 62366-1, EN IEC 81001-5-1, EN ISO 13485. None of them is claimed here.',
      ),
      toWrite('The standards that were applied, with edition, in full or in part.'),
    ]),
    part('II 4(d)', 'The controlled documents that are the evidence', [
      text('Candidates are in the checklist, column “Found in your documents”.'),
      toWrite('Id and version of each controlled document.'),
    ]),
    {
      number: 'II 5',
      title: 'Benefit-risk analysis and risk management',
      level: 1,
      pieces: [],
    },
    part('II 5(a)', 'Benefit-risk analysis (Annex I, 1 and 8)', evidencePieces(evidence, ['benefit-risk'])),
    part('II 5(b)', 'Solutions and results of risk management (Annex I, 3)', [
      ...evidencePieces(evidence, ['risk-plan', 'risk-file']),
      toWrite('The conclusion on the overall residual risk.'),
    ]),
    { number: 'II 6', title: 'Verification and validation of the product', level: 1, pieces: [] },
    part('II 6.1(a)', 'Results of tests and of the literature', evidencePieces(evidence, ['tests', 'accuracy'])),
    part('II 6.1(b)', 'Design of tests, protocols and results: software, security, usability', [
      text(
        `Safety class ${software.class}${software.isAssumed ? ', assumed until it is assigned' : ''} (IEC 62304). ${BY_SAFETY_CLASS[software.class]}`,
      ),
      ...evidencePieces(evidence, ['architecture', 'third-party', 'anomalies', 'security', 'usability']),
      text('Biocompatibility, electrical safety and stability: not applicable to software on its own.'),
    ]),
    part('II 6.1(c)', 'Clinical evaluation plan and report', evidencePieces(evidence, ['clinical-evaluation'])),
    part('II 6.1(d)', 'Post-market clinical follow-up', [
      ...evidencePieces(evidence, ['follow-up']),
      toWrite('Where there is none: why it is not applicable.'),
    ]),
    part('II 6.2(a)', 'Medicinal substances', [notOfSoftware('holds none')]),
    part('II 6.2(b)', 'Tissue or cells', [notOfSoftware('holds none')]),
    part('II 6.2(c)', 'Absorbed substances', [notOfSoftware('holds none')]),
    part('II 6.2(d)', 'Substances of 10.4.1', [notOfSoftware('holds none')]),
    part('II 6.2(e)', 'Sterile or microbial condition', [notOfSoftware('has none')]),
    part(
      'II 6.2(f)',
      'Measuring function',
      factOf(facts, 'measuring') === 'no'
        ? [text('Not applicable: it has no measuring function.')]
        : [...evidencePieces(evidence, ['accuracy']), toWrite('How the stated accuracy was assured.')],
    ),
    part(
      'II 6.2(g)',
      'Connection to other devices',
      factOf(facts, 'combined') === 'no'
        ? [text('Not applicable: it works alone.')]
        : [
            ...evidencePieces(evidence, ['interfaces']),
            toWrite('The combination, and how it was shown to work as a whole.'),
          ],
    ),
  ];
}
