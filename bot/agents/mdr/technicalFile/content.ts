import type { FoundEvidence } from '../documents/findEvidence.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import type { Checklist } from '../gspr/checklist.ts';
import type { Classification } from '../rules/classify.ts';
import type { ReportDue } from '../surveillance/dates.ts';

/** The input of the documentation. */
export type FileContent = {
  facts: DeviceFacts;
  classification: Classification;
  checklist: Checklist;
  evidence: FoundEvidence;
  due: ReportDue[];
};
