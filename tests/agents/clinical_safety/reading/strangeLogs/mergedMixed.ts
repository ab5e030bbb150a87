import { makePackage } from '../../../../factories/hazardLog.ts';
import type { StrangeLog } from './strangeLog.ts';

const HEAD = [
  'Haz ref',
  'What could go wrong',
  'Why it could happen',
  'Consequence for patient',
  'Sev.',
  'How often',
  'RAG',
  'Barrier ref',
  'Barrier',
  'Lead',
];

/** A workbook with cells merged over the rows of a hazard, headings again on each page, words and letters as ratings. */
export const mergedMixed: StrangeLog = {
  kind: 'merged cells over rows of barriers, headings again, frequency in words, colours as risks',
  fileName: 'theatre safety register.xlsx',
  bytes: () =>
    makePackage({
      sheets: [
        {
          name: 'Register',
          rows: [
            HEAD,
            [
              'T/01',
              'Wrong side is displayed',
              'Images are mirrored at import',
              'Surgery on the wrong side',
              'A',
              'Less than once a year',
              'Red',
              'T/01-a',
              'Side marker is burnt in',
              'JH',
            ],
            [null, null, null, null, null, null, null, 'T/01-b', 'Team brief checks the side', 'PO'],
            [
              'T/02',
              'Implant list is incomplete',
              'Stock feed stops',
              'Operation is delayed',
              'C',
              'About once a month',
              'Amber',
              'T/02-a',
              'Alarm when the feed stops',
              'JH',
            ],
            HEAD,
            [
              'T/03',
              'Allergy is missing on the list',
              'Ward system is not asked',
              'Anaphylaxis',
              'A',
              'About once a year',
              'Red',
              'T/03-a',
              'List shows “not asked”',
              'JH',
            ],
            [null, null, null, null, null, null, null, 'T/03-b', 'Anaesthetist asks', 'LK'],
            [null, null, null, null, null, null, null, 'T/03-c', 'Wristband is read', 'LK'],
            [
              'T/04',
              'Order of the list changes unseen',
              'Two people edit at once',
              'Wrong preparation',
              'B',
              'About once a month',
              'Amber',
              'T/04-a',
              'Changes are announced',
              'PO',
            ],
          ],
          after: `<mergeCells count="14">${['A', 'B', 'C', 'D', 'E', 'F', 'G']
            .flatMap((column) => [
              `<mergeCell ref="${column}2:${column}3"/>`,
              `<mergeCell ref="${column}6:${column}8"/>`,
            ])
            .join('')}</mergeCells>`,
        },
        {
          name: 'Key',
          rows: [
            ['Sev.', 'Meaning'],
            ['A', 'Death or lasting harm'],
            ['B', 'Harm that heals'],
            ['C', 'Inconvenience'],
          ],
        },
      ],
    }),
  hazards: [
    {
      id: 'T/01',
      name: 'Wrong side is displayed',
      effect: 'Surgery on the wrong side',
      causes: ['Images are mirrored at import'],
      controls: ['Side marker is burnt in', 'Team brief checks the side'],
      initial: ['A', 'Less than once a year'],
    },
    {
      id: 'T/02',
      name: 'Implant list is incomplete',
      effect: 'Operation is delayed',
      causes: ['Stock feed stops'],
      controls: ['Alarm when the feed stops'],
      initial: ['C', 'About once a month'],
    },
    {
      id: 'T/03',
      name: 'Allergy is missing on the list',
      effect: 'Anaphylaxis',
      causes: ['Ward system is not asked'],
      controls: ['List shows “not asked”', 'Anaesthetist asks', 'Wristband is read'],
      initial: ['A', 'About once a year'],
    },
    {
      id: 'T/04',
      name: 'Order of the list changes unseen',
      effect: 'Wrong preparation',
      causes: ['Two people edit at once'],
      controls: ['Changes are announced'],
      initial: ['B', 'About once a month'],
    },
  ],
};
