import { useSession } from '../data/session.ts';

/** Whoever runs this server, as a link where their address is known; within a sentence. */
export function WhomToAsk() {
  const { contact } = useSession();
  if (!contact) return <>the administrator of this server</>;
  return <a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>;
}
