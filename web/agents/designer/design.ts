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

const HEALTH_POLL = 30_000;

/** In the order in which they stand; the first leads. */
export const DESIGN_ACTIONS = ['demo', 'layout', 'components', 'create', 'generate', 'export'] as const;
export type DesignAction = (typeof DESIGN_ACTIONS)[number];

type DesignWish = { userAgentId: number; objective: string; figmaUrl: string };
const DESIGN: Record<DesignAction, (wish: DesignWish) => Promise<unknown>> = {
  layout: ({ objective }) => call(designLayout, { body: { objective } }),
  components: ({ objective }) => call(designComponents, { body: { objective } }),
  demo: ({ objective }) => call(designDemo, { body: { objective } }),
  create: ({ userAgentId, objective }) => call(createFigma, { params: { id: userAgentId }, body: { goal: objective } }),
  generate: ({ objective, figmaUrl }) =>
    call(generateDesign, { body: { figmaUrl, projectTitle: objective.slice(0, 200) } }),
  export: () => call(figmaExport),
};

/** One of the designer's actions. @returns what is proposed; null where the action proposes nothing */
export async function design(action: DesignAction, wish: DesignWish): Promise<DesignProposal | null> {
  const answer = await DESIGN[action](wish);
  return action === 'layout' || action === 'components' ? (answer as DesignProposal) : null;
}

/** Whether the design service is there. */
export function useDesignHealth() {
  return useCall(designHealth, {}, { poll: HEALTH_POLL });
}

/** What the designer has made, newest first. */
export function useDesigns(userAgentId: number) {
  return useCall(listDesigns, { params: { userAgentId } });
}
