import type { ConnectorPlugIn } from '../engine/connectors/connector.ts';
import { confluence } from './confluence/index.ts';
import { figma } from './figma/index.ts';
import { github } from './github/index.ts';
import { googledrive } from './googledrive/index.ts';
import { jira } from './jira/index.ts';
import { linear } from './linear/index.ts';
import { notion } from './notion/index.ts';
import { sharepoint } from './sharepoint/index.ts';

/** Every working connector, in the order of the cards; the cards of the others say that they are in preparation. */
export const connectors: readonly ConnectorPlugIn[] = [
  notion,
  googledrive,
  sharepoint,
  linear,
  jira,
  github,
  figma,
  confluence,
];
