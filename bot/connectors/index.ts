import type { ConnectorPlugIn } from '../engine/connectors/connector.ts';

/** Every working connector; the cards of the others say that they are in preparation. */
export const connectors: readonly ConnectorPlugIn[] = [];
