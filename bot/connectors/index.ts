import type { ConnectorPlugIn } from '../engine/connectors/connector.ts';
import { jira } from './jira/index.ts';

/** Every working connector, in the order of the cards; the cards of the others say that they are in preparation. */
export const connectors: readonly ConnectorPlugIn[] = [jira];
