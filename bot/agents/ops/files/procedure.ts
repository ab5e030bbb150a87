import type { WordDocument, WordRun } from '../../../engine/files/wordDocument.ts';
import { type Process, rolesOf } from '../process/readProcess.ts';

/** Marks what only a person can fill in, so that readers can search for it. */
const TO_FILL = 'To be filled';

const gap = (what: string): WordRun => ({ text: `[${TO_FILL}: ${what}]`, gap: true });
const line = (...runs: WordRun[]): { lines: WordRun[][] } => ({ lines: [runs] });

/** The content of a procedure document. */
type ProcedureInput = {
  process: Process;
  title: string;
  sourceName: string;
  /** The day it was made, for people. */
  day: string;
};

const textOrGap = (sentences: readonly string[], what: string) =>
  sentences.length > 0
    ? sentences.map((text) => ({ kind: 'text' as const, runs: [text] }))
    : [{ kind: 'text' as const, runs: [gap(what)] }];

function stepsTable({ steps }: Process) {
  return {
    kind: 'table' as const,
    caption: 'Steps, in the words of the description',
    head: ['Step', 'Who', 'What is done', 'When'],
    rows: steps.map(({ number, words, actor, times }) => [
      String(number),
      'role' in actor ? line(actor.role) : line(gap(actor.unclear)),
      words,
      times.join('; ') || '–',
    ]),
    widths: [1, 3, 8, 3],
    hasRowHeads: true,
  };
}

function rolesTable(process: Process) {
  const roles = rolesOf(process);
  const unclear = process.steps.filter(({ actor }) => !('role' in actor));
  return {
    kind: 'table' as const,
    caption: 'Who does what',
    head: ['Role, as named', 'Steps'],
    rows: [
      ...roles.map(({ role, steps }) => [role, steps.join(', ')]),
      ...(unclear.length > 0 ? [[line(gap('role')), unclear.map(({ number }) => number).join(', ')]] : []),
      ...(roles.length + unclear.length === 0 ? [[line(gap('roles')), '–']] : []),
    ],
    widths: [6, 4],
  };
}

function recordsBlocks({ records }: Process) {
  if (records.length === 0)
    return [{ kind: 'text' as const, runs: [gap('which records are kept, where and for how long')] }];
  return [
    {
      kind: 'table' as const,
      caption: 'Records',
      head: ['Step', 'In the words of the description', 'Where', 'For how long'],
      rows: records.map(({ step, words, where, howLong }) => [
        step === null ? '–' : String(step),
        words,
        where === null ? line(gap('where')) : where,
        howLong === null ? line(gap('for how long')) : howLong,
      ]),
      widths: [1, 7, 3, 3],
    },
  ];
}

function exceptionsBlocks({ exceptions }: Process) {
  if (exceptions.length === 0)
    return [{ kind: 'text' as const, runs: [gap('what happens when something is not as planned')] }];
  return [
    {
      kind: 'list' as const,
      items: exceptions.map(({ words, step }) => [step === null ? words : `Step ${step}: ${words}`]),
    },
  ];
}

/** The operating procedure as a Word document: the description's own words in their places, the rest marked. */
export function composeProcedure({ process, title, sourceName, day }: ProcedureInput): WordDocument {
  const heading = (text: string) => ({ kind: 'heading' as const, level: 1 as const, text });
  return {
    title,
    subtitle: 'Standard operating procedure',
    state: 'Draft, not approved',
    cover: [
      { label: 'Document number', runs: [gap('document number')] },
      { label: 'Version', runs: [gap('version')] },
      { label: 'Owner', runs: [gap('owner')] },
      { label: 'Approved by, on', runs: [gap('approved by, on')] },
      { label: 'Effective date', runs: [gap('effective date')] },
      { label: 'Made of', runs: [`${sourceName}, on ${day}, by rules and without a language model`] },
    ],
    footer: `Draft of ${day}. What the description does not say is marked “${TO_FILL}”.`,
    author: 'Arc',
    parts: [
      {
        isLandscape: false,
        blocks: [
          heading('1. Purpose'),
          ...textOrGap(process.purpose, 'purpose'),
          heading('2. Scope'),
          ...textOrGap(process.scope, 'scope: for whom and what it holds, and for what it does not'),
          heading('3. Roles'),
          rolesTable(process),
          ...process.roles.map((text) => ({ kind: 'text' as const, runs: [text] })),
          heading('4. Steps'),
          stepsTable(process),
          heading('5. Records'),
          ...recordsBlocks(process),
          heading('6. Exceptions'),
          ...exceptionsBlocks(process),
          ...(process.other.length > 0
            ? [
                heading('7. What the description also says'),
                { kind: 'list' as const, items: process.other.map((text) => [text]) },
              ]
            : []),
        ],
      },
    ],
  };
}
