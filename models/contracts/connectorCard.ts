import type { WorkStatus } from './catalogueAgent.ts';
import type { IntegrationCategory } from './integration.ts';

/** A tool of the catalogue that is connected together with the others of its connector: one consent, one grant. */
export type ConnectorTool = {
  id: string;
  name: string;
  description: string;
  /** The word that names it in `?scope=` where connecting begins at an alias of the connector. */
  scope?: string;
};

/** What everyone knows of a connector, a tool of the customer: the pages, the kernel and the connector itself. */
export type ConnectorCard = {
  /** As it stands in paths, payloads and stored rows: it never changes. */
  id: string;
  name: string;
  /** What it is drawn with: one of the page's drawings. */
  icon: string;
  /** `working` once `bot/connectors/<id>` exists. */
  status: WorkStatus;
  /** The first is meant where an alias comes without a scope. */
  tools: readonly ConnectorTool[];
  /** Further names of it in calls. */
  aliases: readonly string[];
  /** Where pages begin to connect it; absent: `/api/oauth/<id>/authorize`. */
  begins?: string;
  /** Where it stands on the integration screens; null where agents' tools alone name it. */
  place: {
    category: Exclude<IntegrationCategory, 'Communication'>;
    description: string;
    /** Counts as the documentation workspace of the advance rule. */
    documentation?: boolean;
  } | null;
  /** The variables of the environment that it needs once it works; it is not configured while any is empty. */
  needs: readonly string[];
};
