import knowledge from './knowledge.json' with { type: 'json' };

/** One known kind of hazard in health software, in the product's own words. */
export type KnowledgeEntry = {
  id: string;
  category: string;
  title: string;
  description: string;
  causes: string[];
  clinicalImpact: string;
  controls: { design: string; test: string; training: string; business: string };
  keywords: string[];
  /** Before controls, for discussion; the Clinical Safety Officer sets the rating. */
  suggested: { severity: string; likelihood: string; risk: number };
};

export const KNOWLEDGE: readonly KnowledgeEntry[] = knowledge.entries;
const byId = new Map(KNOWLEDGE.map((entry) => [entry.id, entry]));

export function findKnowledge(id: string): KnowledgeEntry | undefined {
  return byId.get(id);
}
