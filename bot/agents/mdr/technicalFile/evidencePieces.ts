import { EVIDENCE, type EvidenceId } from '../documents/evidence.ts';
import type { FoundEvidence } from '../documents/findEvidence.ts';
import { type Piece, toWrite } from './section.ts';

/** For each kind of document: those that were found, as candidates, or that one has to be added. */
export const evidencePieces = (evidence: FoundEvidence, ids: readonly EvidenceId[]): Piece[] =>
  ids.map((id): Piece => {
    const found = evidence.get(id) ?? [];
    const { name } = EVIDENCE[id];
    if (found.length === 0) return toWrite(`${name}: no such document was found. Add it, with its id and version.`);
    const names = found.map(({ document, by }) => `${document} (recognised by its ${by})`).join('; ');
    return { kind: 'fact', label: `${name}, to confirm`, text: names };
  });
