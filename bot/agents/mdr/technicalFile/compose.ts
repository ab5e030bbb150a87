import type { FileContent } from './content.ts';
import { composeDescription } from './description.ts';
import { composeEvidence } from './evidenceSections.ts';
import type { Section } from './section.ts';
import { composeSurveillance } from './surveillanceSections.ts';

/** Every section of Annex II and III, filled with what is known. */
export const composeSections = (content: FileContent): Section[] => [
  ...composeDescription(content),
  ...composeEvidence(content),
  ...composeSurveillance(content),
];

/** How many passages only a person can write. */
export const countToWrite = (sections: readonly Section[]): number =>
  sections.reduce((sum, { pieces }) => sum + pieces.filter(({ kind }) => kind === 'toWrite').length, 0);
