import type { WorkStatus } from './catalogueAgent.ts';
import type { IntegrationCategory } from './integration.ts';

/** A tool of the catalogue. All tools of a connector share one consent and one grant. */
export type ConnectorTool = {
  id: string;
  name: string;
  description: string;
  /** Its name in `?scope=`, where connecting starts at an alias of the connector. */
  scope?: string;
};

/** What pages, kernel and connector share about a connector, a tool of the customer. */
export type ConnectorCard = {
  /** Id in paths, payloads and stored rows; never changes. */
  id: string;
  name: string;
  /** The name of one of the pages' icons. */
  icon: string;
  /** `working` once `bot/connectors/<id>` exists. */
  status: WorkStatus;
  /** The first is the default where an alias comes without a scope. */
  tools: readonly ConnectorTool[];
  /** Further names in API calls. */
  aliases: readonly string[];
  /** URL at which pages start the connection; default `/api/oauth/<id>/authorize`. */
  begins?: string;
  /** Its entry on the integration screens; null where it is an agents' tool only. */
  place: {
    category: Exclude<IntegrationCategory, 'Communication'>;
    description: string;
    /** Counts as the documentation workspace that onboarding requires. */
    documentation?: boolean;
  } | null;
  /** What people are told before they connect it; required once it works. */
  consent?: {
    /** What Arc reads: "tickets of the project that you choose: …". */
    reads: string;
    /** What Arc writes; null for nothing. */
    writes: string | null;
    /** On whose servers it stays, and for how long. */
    stays: string;
  };
  /** Holds tickets that an analysis can read. */
  tickets?: boolean;
  /** People choose what of it is read. */
  scoped?: boolean;
  /** Environment variables that it needs once it works; it is not configured while any is empty. */
  needs: readonly string[];
};

/** What an administrator has to set, where the deployment has no credentials for a connector. */
export const missingText = ({ needs }: Pick<ConnectorCard, 'needs'>): string =>
  `An administrator has to set ${needs.join(' and ')} first.`;
