import {
  IconArchive,
  IconBook,
  IconBrandFigma,
  IconBrandGithub,
  IconBrandGoogleDrive,
  IconBrandJira,
  IconBrandNotion,
  IconBrandSlack,
  IconBrandTeams,
  IconBrandX,
  IconFolders,
  IconMail,
  IconMessageCircle,
  IconTable,
  IconTicket,
  IconUsers,
} from '@tabler/icons-react';
import type { CHANNELS } from '../../../models/contracts/channels.ts';
import type { CONNECTORS } from '../../../models/contracts/connectors.ts';

type IconName = (typeof CONNECTORS)[number]['icon'] | (typeof CHANNELS)[number]['integration']['icon'] | 'archive';

/** Icon component by icon name. A card with an unknown icon name does not compile. */
const DRAWINGS: Record<IconName, typeof IconArchive> = {
  archive: IconArchive,
  chat: IconMessageCircle,
  drive: IconBrandGoogleDrive,
  figma: IconBrandFigma,
  github: IconBrandGithub,
  jira: IconBrandJira,
  linear: IconTicket,
  mailchimp: IconMail,
  notion: IconBrandNotion,
  pages: IconBook,
  people: IconUsers,
  sharepoint: IconFolders,
  slack: IconBrandSlack,
  table: IconTable,
  teams: IconBrandTeams,
  twitter: IconBrandX,
};

/** The icon component of an integration. */
export const drawingOf = ({ icon }: { icon: string }) => DRAWINGS[icon as IconName];
