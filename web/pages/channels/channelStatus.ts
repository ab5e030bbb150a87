import { arcStatus } from '../../../models/contracts/arc/calls.ts';
import type { BodyOf } from '../../../models/contracts/endpoint.ts';
import { POLLS } from '../../../models/contracts/limits.ts';
import { slackTest } from '../../../models/contracts/slack/calls.ts';
import {
  confirmTenant,
  connectTeams,
  generateManifest,
  listWaitingTenants,
  teamsStatus,
} from '../../../models/contracts/teams/calls.ts';
import { call, download, urlOf } from '../../data/call.ts';
import { useCall } from '../../data/useCall.ts';

/** Whether Slack answers. */
export function useSlackTest() {
  return useCall(slackTest, {}, { poll: POLLS.status });
}

/** The agent engine behind every channel. */
export function useEngineStatus() {
  return useCall(arcStatus, {}, { poll: POLLS.status });
}

/** Whether Teams is configured. */
export function useTeamsStatus() {
  return useCall(teamsStatus, {}, { poll: POLLS.status });
}

/** Organisations that wait for an owner to connect them. */
export function useWaitingTenants() {
  return useCall(listWaitingTenants, {}, { poll: POLLS.status });
}

/** Connects a waiting organisation. */
export const connectWaitingTenant = (id: string) => call(confirmTenant, { params: { id } });

/** Saves the account's own bot registration. */
export const connectTeamsApp = (registration: BodyOf<typeof connectTeams>) =>
  call(connectTeams, { body: registration });

/** Generates the Teams app package and lets the browser save it. */
export const downloadTeamsPackage = () => download(urlOf(generateManifest), 'teams-app-package.zip', 'POST');
