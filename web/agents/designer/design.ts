import {
  createFigma,
  type DesignProposal,
  designComponents,
  designDemo,
  designHealth,
  designLayout,
  figmaExport,
  generateDesign,
  listDesigns,
} from '../../../models/contracts/designer/design.ts';
import { call } from '../../data/call.ts';
import { useCall } from '../../data/useCall.ts';

const HEALTH_POLL_MS = 30_000;

export type DesignAction = 'demo' | 'layout' | 'components' | 'create' | 'generate' | 'export';

type DesignRequest = { userAgentId: number; objective: string; figmaUrl: string };
const DESIGN: Record<DesignAction, (request: DesignRequest) => Promise<unknown>> = {
  layout: ({ objective }) => call(designLayout, { body: { objective } }),
  components: ({ objective }) => call(designComponents, { body: { objective } }),
  demo: ({ objective }) => call(designDemo, { body: { objective } }),
  create: ({ userAgentId, objective }) => call(createFigma, { params: { id: userAgentId }, body: { goal: objective } }),
  generate: ({ objective, figmaUrl }) =>
    call(generateDesign, { body: { figmaUrl, projectTitle: objective.slice(0, 200) } }),
  export: () => call(figmaExport),
};

/** Runs one of the designer's actions. @returns the proposal; null if the action makes none */
export async function design(action: DesignAction, request: DesignRequest): Promise<DesignProposal | null> {
  const answer = await DESIGN[action](request);
  return action === 'layout' || action === 'components' ? (answer as DesignProposal) : null;
}

/** Whether the design service is available. */
export function useDesignHealth() {
  return useCall(designHealth, {}, { poll: HEALTH_POLL_MS });
}

/** The designer's designs, newest first. */
export function useDesigns(userAgentId: number) {
  return useCall(listDesigns, { params: { userAgentId } });
}
