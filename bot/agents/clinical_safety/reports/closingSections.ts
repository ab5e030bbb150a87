import type { ExistingHazard, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import type { WordBlock, WordCell, WordRun } from '../../../engine/files/wordDocument.ts';
import { counted } from '../counted.ts';
import { figuresOfLog, NOT_RECORDED, riskText } from './reportFigures.ts';
import { gap, MAX_REPORT_ROWS, type ReportInput } from './reportInput.ts';

const text = (...runs: readonly WordRun[]): WordBlock => ({ kind: 'text', runs });
const heading = (title: string): WordBlock => ({ kind: 'heading', level: 1, text: title });

/** Tests, configuration, the officer's statement and the approval. */
export function closingSections(input: ReportInput): WordBlock[] {
  const { existingHazards } = input.result;
  const tests = existingHazards.flatMap(({ controls }) => controls).filter(({ kind }) => kind === 'test');
  const proven = tests.filter(({ evidence }) => evidence !== null).length;
  const { findings } = figuresOfLog(input.result);
  const openCount = input.result.findings.filter(({ id }) => !input.accepted[id]).length;
  return [
    heading('10 Test and issues'),
    text(
      tests.length === 0
        ? 'The log names no control that is a test.'
        : `The log names ${counted(tests.length, 'control')} that ${tests.length === 1 ? 'is a test' : 'are tests'}; ${proven} of them ${proven === 1 ? 'names' : 'name'} evidence.`,
    ),
    text(
      `Arc’s check of the log found ${counted(findings.fix, 'point')} to fix, ${findings.check} to check and ${findings.note} to note. ${openCount} of them ${openCount === 1 ? 'is' : 'are'} open; Appendix B lists ${openCount === 1 ? 'it' : 'them'}.`,
    ),
    text(gap('results of testing, and open issues of this release with their effect on safety')),
    heading('11 Configuration'),
    text(gap('identity of the released build and of everything that belongs to it (7.1.3)')),
    text(gap('how changes after the release are assessed (7.3)')),
    heading('12 Summary safety statement'),
    text(
      'Whether the risks of this release are acceptable is for the Clinical Safety Officer alone to state. Arc makes no statement.',
    ),
    text(gap('the statement, with its conditions and limits')),
    heading('13 Approval'),
    {
      kind: 'table',
      caption: 'Approval (3.5.2)',
      head: ['Role', 'Name', 'Signature', 'Date'],
      rows: [
        [
          'Clinical Safety Officer',
          { lines: [[gap('name')]] },
          { lines: [[gap('signature')]] },
          { lines: [[gap('date')]] },
        ],
        ['Top management', { lines: [[gap('name')]] }, { lines: [[gap('signature')]] }, { lines: [[gap('date')]] }],
      ],
      widths: [2, 2.6, 2.6, 2.2],
    },
  ];
}

const KINDS = {
  existing: 'In place',
  design: 'Design',
  test: 'Test',
  training: 'Training',
  business: 'Business process',
  unspecified: '',
} as const;

const labelled = (label: string, value: string): readonly WordRun[] => [{ text: `${label}: `, bold: true }, value];

function rowOf(hazard: ExistingHazard): WordCell[] {
  const { id, name, description, causes, clinicalImpact, controls, initial, residual, owner, status } = hazard;
  const ratings = (side: typeof initial): readonly WordRun[][] => [
    [side.severity ?? NOT_RECORDED],
    [side.likelihood ?? NOT_RECORDED],
    [{ text: `Risk ${riskText(side)}`, bold: true }],
  ];
  return [
    { lines: [[id], [status ?? ''], [owner ?? '']].filter(([line]) => line !== '') },
    {
      lines: [
        [{ text: name, bold: true }],
        ...(description && description !== name ? [[description]] : []),
        ...(clinicalImpact ? [labelled('Impact', clinicalImpact)] : []),
      ],
    },
    { lines: causes.map(({ id: causeId, text: cause }) => [causeId ? `${causeId} ${cause}` : cause]) },
    {
      lines: controls.map(({ kind, text: words, evidence }) => [
        ...(KINDS[kind] ? [{ text: `${KINDS[kind]}: `, bold: true }] : []),
        words,
        ...(evidence ? [` (evidence: ${evidence})`] : []),
      ]),
    },
    { lines: ratings(initial) },
    { lines: ratings(residual) },
  ];
}

const hazardTable = ({ result, analysis }: ReportInput): WordBlock[] => [
  heading('Appendix A: Hazard log'),
  text(
    `${result.existingHazards.length > MAX_REPORT_ROWS ? `The first ${MAX_REPORT_ROWS} hazards` : 'Every hazard'} of ${analysis.logFileName} as ${result.existingHazards.length > MAX_REPORT_ROWS ? 'they were' : 'it was'} read. The log itself is what counts, and it goes with each report (3.3.3).`,
  ),
  {
    kind: 'table',
    caption: counted(result.existingHazards.length, 'hazard'),
    head: ['Hazard, status, owner', 'Description and impact', 'Causes', 'Controls', 'Initial', 'Residual'],
    rows: result.existingHazards.slice(0, MAX_REPORT_ROWS).map(rowOf),
    widths: [1.3, 3, 2.4, 3.6, 1.3, 1.3],
    hasRowHeads: true,
  },
];

const LEVELS = { fix: 'To fix', check: 'To check', note: 'Note' } as const;
const MAX_PLACES = 6;

function placesOf({ places }: Finding): string {
  const named = places.slice(0, MAX_PLACES).map(({ sheet, cell }) => (sheet ? `${sheet} ${cell}` : cell));
  return places.length > MAX_PLACES ? `${named.join(', ')} and ${places.length - MAX_PLACES} more` : named.join(', ');
}

function findingTables({ result, accepted, timeZone }: ReportInput): WordBlock[] {
  const isAccepted = ({ id }: Finding) => accepted[id] !== undefined;
  const open = (['fix', 'check', 'note'] as const).flatMap((level) =>
    result.findings.filter((finding) => finding.level === level && !isAccepted(finding)),
  );
  const settled = result.findings.filter(isAccepted);
  return [
    heading('Appendix B: Open findings'),
    ...(open.length === 0
      ? [
          text(
            'The check left no finding open. It compares the log with rules, so it does not show that the log is complete.',
          ),
        ]
      : [
          {
            kind: 'table' as const,
            caption: `${counted(open.length, 'open finding')}${open.length > MAX_REPORT_ROWS ? `, the first ${MAX_REPORT_ROWS} listed` : ''}`,
            head: ['Level', 'Finding', 'Hazard', 'Where', 'Clause'],
            rows: open
              .slice(0, MAX_REPORT_ROWS)
              .map((finding) => [
                LEVELS[finding.level],
                { lines: [[{ text: finding.title, bold: true }], [finding.message]] },
                finding.hazardId ?? '',
                placesOf(finding),
                finding.clause ?? 'good practice',
              ]),
            widths: [1, 6, 1.2, 2.4, 1.2],
          },
        ]),
    ...(settled.length > 0
      ? [
          {
            kind: 'table' as const,
            caption: counted(settled.length, 'finding accepted by a person', 'findings accepted by a person'),
            head: ['Finding', 'Reason', 'By', 'On'],
            rows: settled.map(({ id, title }) => [
              title,
              accepted[id]?.reason ?? '',
              accepted[id]?.by ?? '',
              dayText(accepted[id]?.at ?? '', timeZone),
            ]),
            widths: [4, 4, 1.6, 1.4],
          },
        ]
      : []),
  ];
}

/** The log as a table, and what the check of it found. */
export const appendices = (input: ReportInput): WordBlock[] => [...hazardTable(input), ...findingTables(input)];
