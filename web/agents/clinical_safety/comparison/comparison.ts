import { compareAnalyses, readHazardHistory } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { useCall } from '../../../data/useCall.ts';

/**
 * What changed in an analysis since another one.
 * @param other id of the other analysis; null compares with the previous one of the same log
 */
export const useComparison = (id: number, other: number | null) =>
  useCall(compareAnalyses, { params: { id }, query: other === null ? {} : { with: other } });

/** A hazard of an analysis in the versions of its log, the newest first. */
export const useHazardHistory = (id: number, { id: hazard, rows }: ExistingHazard) =>
  useCall(readHazardHistory, { params: { id }, query: { hazard, row: rows.first } });
