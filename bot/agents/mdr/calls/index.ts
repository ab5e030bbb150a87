import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { downloadPath } from '../../../../models/contracts/files.ts';
import * as contract from '../../../../models/contracts/mdr/devices.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { requireAgentOf, requireReadyAgentOf } from '../../../engine/agents/requireAgentOf.ts';
import { type Call, defineCall } from '../../../engine/calls/call.ts';
import { startWork } from '../../../engine/turns/startWork.ts';
import { beginWith } from '../../../engine/workflows/workflow.ts';
import { type KeptDevice, readDevices } from '../facts/devices.ts';
import { CHOICE_FACTS, FACTS, labelOf, shownValue } from '../facts/facts.ts';
import { classify } from '../rules/classify.ts';
import { describeClass } from '../rules/describe.ts';
import { dayIn, reportsDue } from '../surveillance/dates.ts';
import { describeDue } from '../surveillance/describeDue.ts';
import { technicalFileWorkflow } from '../workflows/technicalFile.ts';

function presentDevice(
  { name, facts, latest, updatedAt }: KeptDevice,
  today: string,
): z.input<typeof contract.listDevices.answer>[number] {
  const classification = classify(facts);
  const { eu, uk, software } = classification;
  return {
    name,
    updatedAt: updatedAt.toISOString(),
    facts: FACTS.flatMap((fact) => {
      const value = shownValue(facts, fact);
      return value === null ? [] : [{ label: labelOf(fact), value }];
    }),
    open: CHOICE_FACTS.filter((fact) => !facts[fact]).length,
    classes: {
      eu: eu ? describeClass(eu) : 'no device',
      uk: uk ? describeClass(uk) : null,
      software: software.isAssumed ? `${software.class}, assumed` : software.class,
    },
    due: reportsDue(facts, classification, today).map(describeDue),
    latest: latest && {
      at: latest.at.toISOString(),
      counts: latest.counts,
      files: latest.files.map((file) => ({ name: file, url: downloadPath(file) })),
    },
  };
}

const list = defineCall(
  contract.listDevices,
  async ({ who, params }) => {
    await requireAgentOf(who, params.userAgentId, 'mdr');
    const today = dayIn(await readTimeZone(who.accountId), new Date());
    return (await readDevices(who.accountId)).map((device) => presentDevice(device, today));
  },
  { topics: ['workspaces'] },
);

const draft = defineCall(contract.draftTechnicalFile, async ({ who, params, body: { request } }) => {
  const agent = await requireReadyAgentOf(who, params.userAgentId, 'mdr');
  const work = beginWith(technicalFileWorkflow, 'Make the technical file', { request });
  const run = await startWork(who, agent, `call:${randomUUID()}`, work);
  return {
    success: true as const,
    runId: String(run._id),
    workspaceId: run.workspaceId ?? 0,
    response: 'The technical file has started. Its questions will appear in the chat and the inbox.',
  };
});

/** The calls of the technical file agent. */
export const calls: readonly Call[] = [list, draft];
