import { EVIDENCE, type EvidenceId } from '../documents/evidence.ts';
import type { FoundEvidence } from '../documents/findEvidence.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import { applicabilityOf } from './applicability.ts';
import { REQUIREMENTS } from './requirements.ts';

/** A row of the checklist. Found evidence is what a document seems to be by its name or text, never a verdict on it. */
export type ChecklistRow = {
  number: string;
  asks: string;
  applies: 'yes' | 'no' | 'open';
  because: string;
  /** Names of the documents that usually hold the evidence. */
  expected: string[];
  /** Names of the company's documents that may hold it, each with how it was recognised. */
  found: string[];
  /** Names of the expected documents of which none was found. */
  missing: string[];
};

export type Checklist = {
  rows: ChecklistRow[];
  counts: { all: number; applies: number; not: number; open: number; withGap: number };
};

const nameOf = (id: EvidenceId) => EVIDENCE[id].name;

/** Checks every number of Annex I against the facts and the documents that were found. */
export function makeChecklist(facts: DeviceFacts, evidence: FoundEvidence): Checklist {
  const rows = REQUIREMENTS.map(({ number, asks, applies: on, evidence: expected }): ChecklistRow => {
    const { applies, because } = applicabilityOf(on, facts);
    const needed = applies === 'no' ? [] : expected;
    const found = needed.flatMap((id) => evidence.get(id) ?? []);
    return {
      number,
      asks,
      applies,
      because,
      expected: needed.map(nameOf),
      found: [...new Set(found.map(({ document, by }) => `${document} (by ${by})`))],
      missing: needed.filter((id) => !evidence.get(id)?.length).map(nameOf),
    };
  });
  const count = (fits: (row: ChecklistRow) => boolean) => rows.filter(fits).length;
  return {
    rows,
    counts: {
      all: rows.length,
      applies: count(({ applies }) => applies === 'yes'),
      not: count(({ applies }) => applies === 'no'),
      open: count(({ applies }) => applies === 'open'),
      withGap: count(({ applies, missing }) => applies === 'yes' && missing.length > 0),
    },
  };
}
