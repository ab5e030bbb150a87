import type { Mail } from '../mail.ts';

/** Sends the link of an invitation. Opening the link only shows the invitation; a button on the page accepts it. */
export const invitation = (it: { by: string; company: string | null; link: string; days: number }): Mail => ({
  subject: `${it.by} invites you to ${it.company ?? 'Arc'}`,
  parts: [
    'Arc lets a team hire AI agents that ask people before they decide.',
    { link: it.link, label: 'Open this page to join' },
    `It expires in ${it.days} days. It works for this address only, until it is used or withdrawn.`,
  ],
  because: `You get this because ${it.by} entered your address.`,
});
