import { dayText } from '../../../../models/contracts/zonedText.ts';
import type { WordBlock } from '../../../engine/files/wordDocument.ts';
import { gap, type ReportInput } from './reportInput.ts';

const text = (...runs: Extract<WordBlock, { kind: 'text' }>['runs']): WordBlock => ({ kind: 'text', runs });
const heading = (title: string, level: 1 | 2 = 1): WordBlock => ({ kind: 'heading', level, text: title });

/** The sections before the hazards. Only the officer knows most of their content, so most of it is left open. */
export function openingSections({ analysis, writtenAt, timeZone }: ReportInput): WordBlock[] {
  return [
    heading('Document control'),
    {
      kind: 'table',
      caption: 'Version history',
      head: ['Version', 'Date', 'What changed', 'By'],
      rows: [
        [
          { lines: [[gap('version of this report')]] },
          dayText(writtenAt, timeZone),
          `Draft made by Arc from analysis ${analysis.id} of the hazard log`,
          { lines: [[gap('who takes over this draft')]] },
        ],
      ],
      widths: [2, 1.4, 3.6, 2.4],
    },
    {
      kind: 'table',
      caption: 'Related documents',
      head: ['Document', 'Reference and version'],
      rows: [
        ['Clinical Risk Management Plan', { lines: [[gap('reference and version of the plan')]] }],
        ['Hazard log', `${analysis.logFileName}; version and digest are on the cover`],
        ['Safety incident management log', { lines: [[gap('reference, or that there is none yet')]] }],
      ],
      widths: [3, 6],
    },
    heading('1 Introduction'),
    text(
      'This is a draft of a Clinical Safety Case Report as DCB0129 asks for in 3.5. Its figures and tables come from the hazard log that is named on the cover. What the log does not hold is left open and marked, and a Clinical Safety Officer has to complete, correct and approve it before it is issued (3.5.2).',
    ),
    text(gap('name of the product, its manufacturer, and the release that this report covers')),
    text(gap('the lifecycle phase of the plan that this report belongs to (3.5.1), and who receives it (3.5.3)')),
    heading('2 System description'),
    text(gap('what the system does, for whom, and in which care settings')),
    text(gap('its parts, its interfaces, and where its data come from and go to')),
    text(gap('third-party products in this release and how they were assessed (2.5.1 and 2.5.2)')),
    heading('3 Scope'),
    text(gap('clinical scope and intended use (4.2.1 and 4.2.2)')),
    text(gap('what is out of scope, and what the receiving organisation has to provide')),
    heading('4 Clinical risk management system and team'),
    text(gap('the clinical risk management process that was followed, and its plan (2.1.1 and 3.2)')),
    {
      kind: 'table',
      caption: 'People and their responsibilities',
      head: ['Role', 'Name', 'Profession, registration and training'],
      rows: [
        [
          'Clinical Safety Officer (2.3)',
          { lines: [[gap('name')]] },
          { lines: [[gap('profession, registration number and training in risk management')]] },
        ],
        [
          'Top management (2.2)',
          { lines: [[gap('who nominated the officer and authorises the release')]] },
          { lines: [[gap('authority as the plan gives it')]] },
        ],
        [
          'Others who took part in the analysis (4.1.2)',
          { lines: [[gap('names and roles')]] },
          { lines: [[gap('competence records, 2.4.2')]] },
        ],
      ],
      widths: [2.6, 3, 4],
    },
  ];
}
