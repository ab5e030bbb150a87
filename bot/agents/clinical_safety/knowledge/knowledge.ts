import knowledge from './knowledge.json' with { type: 'json' };

/** A known kind of hazard in health software. */
export type KnowledgeEntry = {
  id: string;
  category: string;
  title: string;
  description: string;
  causes: string[];
  clinicalImpact: string;
  controls: { design: string; test: string; training: string; business: string };
  keywords: string[];
  /** A rating before controls, for discussion only; the Clinical Safety Officer sets the rating. */
  suggested: { severity: string; likelihood: string; risk: number };
};

export const KNOWLEDGE: readonly KnowledgeEntry[] = knowledge.entries;
const byId = new Map(KNOWLEDGE.map((entry) => [entry.id, entry]));

export function findKnowledge(id: string): KnowledgeEntry | undefined {
  return byId.get(id);
}
