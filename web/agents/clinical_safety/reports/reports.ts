import { parseCscr } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import {
  listCaseReports,
  writeCaseReport,
  writeComplianceSheet,
} from '../../../../models/contracts/clinical_safety/safetyCase.ts';
import { call } from '../../../data/call.ts';
import { useCall } from '../../../data/useCall.ts';

/** The drafts of reports and sheets that are kept. */
export const useCaseReports = (userAgentId: number) => useCall(listCaseReports, { params: { id: userAgentId } });

const DRAFTS = { report: writeCaseReport, sheet: writeComplianceSheet };

/** What can be written from an analysis. */
export type DraftKind = keyof typeof DRAFTS;

/** Starts a draft. @returns what the page says then */
export async function startDraft(userAgentId: number, kind: DraftKind): Promise<string> {
  return (await call(DRAFTS[kind], { params: { id: userAgentId } })).response;
}

/** Checks a safety case report, given as a file or as its text. @returns what was found */
export async function checkReport(userAgentId: number, given: File | string): Promise<string> {
  const form = new FormData();
  if (given instanceof File) form.append(parseCscr.upload ?? 'report', given);
  // The contract's body is its JSON; a file is sent as a form instead.
  const body = given instanceof File ? (form as unknown as { text?: string }) : { text: given };
  return (await call(parseCscr, { params: { id: userAgentId }, body })).response;
}
