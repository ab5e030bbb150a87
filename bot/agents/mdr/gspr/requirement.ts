import type { EvidenceId } from '../documents/evidence.ts';

/** The property that decides whether a requirement applies. */
export type Applies =
  | 'always'
  | 'lay'
  | 'combined'
  | 'mobile'
  | 'measuring'
  | 'diagnostic'
  | 'monitoring'
  | 'summary'
  | 'no-material'
  | 'no-sterile'
  | 'no-medicine'
  | 'no-tissue'
  | 'no-radiation'
  | 'no-implant'
  | 'no-body'
  | 'no-supply'
  | 'no-power'
  | 'no-annex-xvi'
  | 'no-custom'
  | 'no-packaging';

/** A requirement of Annex I in the project's own words. */
export type Requirement = {
  /** "23.4(ab)". */
  number: string;
  asks: string;
  applies: Applies;
  /** The documents that usually hold the evidence; empty where it does not apply to software. */
  evidence: readonly EvidenceId[];
};

/** One row of a table of requirements. */
export type Row = readonly [number: string, asks: string, applies: Applies, ...evidence: EvidenceId[]];

export const toRequirement = ([number, asks, applies, ...evidence]: Row): Requirement => ({
  number,
  asks,
  applies,
  evidence,
});
