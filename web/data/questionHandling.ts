import * as contract from '../../models/contracts/interrupts.ts';
import { call } from './call.ts';
import { showInterrupt } from './interrupts.ts';
import { useCall } from './useCall.ts';

/** The members who may answer an open question; reads nothing if the id is null. */
export const useAssignees = (id: number | null) =>
  useCall(contract.listAssignees, id === null ? null : { params: { id } });

/** Assigns a question to a member; null assigns it to nobody. */
export async function assignQuestion(id: number, userId: number | null): Promise<void> {
  await showInterrupt(await call(contract.assignQuestion, { params: { id }, body: { userId } }));
}

/** Puts a question off; null ends that. */
export async function snoozeQuestion(id: number, pause: contract.Pause | null): Promise<void> {
  await showInterrupt(await call(contract.snoozeQuestion, { params: { id }, body: { pause } }));
}

/** Withdraws a question, which ends the work that asks it. */
export async function withdrawQuestion(id: number): Promise<void> {
  await showInterrupt(await call(contract.withdrawQuestion, { params: { id } }));
}

/** Comments on a question. */
export async function commentOnQuestion(id: number, text: string): Promise<void> {
  await showInterrupt(await call(contract.commentOnQuestion, { params: { id }, body: { text } }));
}
