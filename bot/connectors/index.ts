import type { ConnectorPlugIn } from '../engine/connectors/connector.ts';

/** Every connector that works; the cards of the others say that they are in preparation. */
export const connectors: readonly ConnectorPlugIn[] = [];
