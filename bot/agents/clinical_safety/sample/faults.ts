/** The faults planted in the sample's log, each with its place and the rule that finds it. */
export const PLANTED_FAULTS: { rule: string; hazardId: string | null; cells: string[]; what: string }[] = [
  {
    rule: 'risk-differs-from-matrix',
    hazardId: 'QM-04',
    cells: ['I8'],
    what: 'Initial risk recorded 2; Major and Low give 3',
  },
  {
    rule: 'formula-mixes-initial-and-residual',
    hazardId: null,
    cells: ['P12', 'P13', 'P14'],
    what: 'Residual risk of QM-08 to QM-10 reads the initial severity',
  },
  { rule: 'version-differs', hazardId: null, cells: ['C6'], what: 'The file is named 2.3, its cover says 2.2' },
  { rule: 'missing-owner', hazardId: 'QM-07', cells: ['R11'], what: 'No owner' },
  { rule: 'duplicate-id', hazardId: 'QM-12', cells: ['A16', 'A29'], what: 'One id for two hazards' },
  { rule: 'same-name-several-ids', hazardId: null, cells: ['B19', 'B23'], what: 'QM-15 and QM-19 have one name' },
  { rule: 'unknown-rating-word', hazardId: 'QM-11', cells: ['H15'], what: '“Unlikely” is not a word of the matrix' },
  { rule: 'residual-above-initial', hazardId: 'QM-14', cells: ['P18'], what: 'Risk 3 after controls, 2 before' },
  {
    rule: 'severity-lowered-without-design-control',
    hazardId: 'QM-16',
    cells: ['N20'],
    what: 'Major becomes Considerable with no design control',
  },
  {
    rule: 'residual-risk-without-rationale',
    hazardId: 'QM-17',
    cells: ['Q21'],
    what: 'Residual risk 3 and no reason given',
  },
  { rule: 'closed-with-open-action', hazardId: 'QM-18', cells: ['T22'], what: 'Closed, with an open action' },
  { rule: 'control-without-evidence', hazardId: 'QM-20', cells: ['U24'], what: 'Controls and no evidence of them' },
];
