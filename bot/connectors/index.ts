import type { ConnectorPlugIn } from '../engine/connectors/connector.ts';
import { airtable } from './airtable/index.ts';
import { confluence } from './confluence/index.ts';
import { figma } from './figma/index.ts';
import { github } from './github/index.ts';
import { googledrive } from './googledrive/index.ts';
import { hubspot } from './hubspot/index.ts';
import { jira } from './jira/index.ts';
import { linear } from './linear/index.ts';
import { mailchimp } from './mailchimp/index.ts';
import { notion } from './notion/index.ts';
import { salesforce } from './salesforce/index.ts';
import { sharepoint } from './sharepoint/index.ts';
import { twitter } from './twitter/index.ts';

/** Every connector, in the order of the cards. */
export const connectors: readonly ConnectorPlugIn[] = [
  notion,
  googledrive,
  sharepoint,
  linear,
  jira,
  github,
  figma,
  mailchimp,
  twitter,
  confluence,
  airtable,
  salesforce,
  hubspot,
];
