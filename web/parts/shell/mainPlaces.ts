import { IconBell, IconMessageCircle, IconReportSearch } from '@tabler/icons-react';
import { AGENTS } from '../../../models/contracts/catalogue.ts';

/** The pages beside the dashboard that the header links; agents' pages have the names on their cards. */
export const MAIN_PLACES = [
  { to: '/arc-chat', label: 'Chat', Icon: IconMessageCircle },
  ...AGENTS.flatMap(({ places = [] }) =>
    places.map(({ path, title }) => ({ to: path, label: title, Icon: IconReportSearch })),
  ),
  { to: '/agent-inbox', label: 'Inbox', Icon: IconBell },
];
