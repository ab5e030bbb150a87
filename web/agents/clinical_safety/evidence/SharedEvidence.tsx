import type { Evidence } from '../../../../models/contracts/clinical_safety/evidence.ts';
import { EvidenceDocument } from './EvidenceDocument.tsx';

/** The evidence pack as a link shows it. */
export const SharedEvidence = ({ result }: { result: unknown }) => <EvidenceDocument {...(result as Evidence)} />;
