import { POLLS } from '../../../models/contracts/limits.ts';
import { draftTechnicalFile, listDevices } from '../../../models/contracts/mdr/devices.ts';
import { call } from '../../data/call.ts';
import { useCall } from '../../data/useCall.ts';

/** The products that the agent knows, the one that changed last first. */
export const useDevices = (userAgentId: number) =>
  useCall(listDevices, { params: { userAgentId } }, { poll: POLLS.result });

/** Starts a draft; its questions come to the chat and the inbox. */
export async function startDraft(userAgentId: number, request: string): Promise<void> {
  await call(draftTechnicalFile, { params: { userAgentId }, body: { request } });
}
