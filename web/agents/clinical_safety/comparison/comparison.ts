import { compareAnalyses } from '../../../../models/contracts/clinical_safety/comparison.ts';
import { useCall } from '../../../data/useCall.ts';

/**
 * What changed in an analysis since another one.
 * @param other the analysis before of the same log without it
 */
export const useComparison = (id: number, other: number | null) =>
  useCall(compareAnalyses, { params: { id }, query: other === null ? {} : { with: other } });
