import { IconBell, IconMessageCircle, IconReportSearch } from '@tabler/icons-react';
import { AGENTS } from '../../../models/contracts/catalogue.ts';

/** The pages that people go to and fro between, beside the dashboard; those of agents as their cards name them. */
export const MAIN_PLACES = [
  { to: '/arc-chat', label: 'Chat', Icon: IconMessageCircle },
  ...AGENTS.flatMap(({ places = [] }) =>
    places.map(({ path, title }) => ({ to: path, label: title, Icon: IconReportSearch })),
  ),
  { to: '/agent-inbox', label: 'Inbox', Icon: IconBell },
];
