import { listCaseReports, writeCaseReport } from '../../../../models/contracts/clinical_safety/safetyCase.ts';
import { call } from '../../../data/call.ts';
import { useCall } from '../../../data/useCall.ts';

/** The drafts of the safety case report that are kept. */
export const useCaseReports = (userAgentId: number) => useCall(listCaseReports, { params: { id: userAgentId } });

/** Starts a draft of the safety case report. @returns what the page says then */
export async function startCaseReport(userAgentId: number): Promise<string> {
  return (await call(writeCaseReport, { params: { id: userAgentId } })).response;
}
