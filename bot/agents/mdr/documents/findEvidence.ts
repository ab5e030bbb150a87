import { EVIDENCE, EVIDENCE_IDS, type EvidenceId } from './evidence.ts';

/** A document of the company, with its text; null where its text can't be read. */
export type GivenDocument = { name: string; text: string | null };

type Found = { document: string; by: 'name' | 'text' };

/** The documents that may be each kind of evidence; kinds without one are absent. */
export type FoundEvidence = ReadonlyMap<EvidenceId, readonly Found[]>;

/** A document with at least this many phrases of a kind of evidence counts as that kind. */
const ENOUGH_PHRASES = 2;

/** Separators of file names count as spaces. */
const plainName = (name: string) => name.replace(/\.[a-z]{2,4}$/i, '').replace(/[_\-.]+/g, ' ');

function recognise({ name, text }: GivenDocument, id: EvidenceId): Found['by'] | null {
  const { named, says } = EVIDENCE[id];
  if (named.test(plainName(name))) return 'name';
  const said = text === null ? 0 : says.filter((phrase) => phrase.test(text)).length;
  return said >= Math.min(ENOUGH_PHRASES, says.length) ? 'text' : null;
}

/** Finds by name and text which documents may be which evidence. Whether they suffice, only a person can say. */
export function findEvidence(documents: readonly GivenDocument[]): FoundEvidence {
  return new Map(
    EVIDENCE_IDS.flatMap((id) => {
      const found = documents.flatMap((document): Found[] => {
        const by = recognise(document, id);
        return by ? [{ document: document.name, by }] : [];
      });
      return found.length > 0 ? [[id, found] as const] : [];
    }),
  );
}
