// Slack escapes "<" in what people type, so these never contain one. Excluding it keeps the search fast.
const MENTION = /<@([A-Z0-9]+)(?:\|([^<>]*))?>/g;
const CHANNEL = /<#[A-Z0-9]+(?:\|([^<>]*))?>/g;
const SPECIAL = /<!([^<>|]+)(?:\|([^<>]*))?>/g;
const LINK = /<([^<>|\s]+)(?:\|([^<>]*))?>/g;

/** Whether a text mentions a user; compares the whole id. */
export const mentions = (text: string, userId: string) =>
  text.includes(`<@${userId}>`) || text.includes(`<@${userId}|`);

/**
 * Converts Slack's markup into the text that the person sees: without the mention of the app itself, with names instead
 * of ids, links as their labels, and the three escaped characters as they were typed.
 */
export function readWords(text: string, botUserId: string): string {
  return text
    .replace(MENTION, (_whole, id: string, name?: string) => (id === botUserId ? '' : `@${name || id}`))
    .replace(CHANNEL, (_whole, name?: string) => `#${name || 'channel'}`)
    .replace(SPECIAL, (_whole, what: string, name?: string) => name || `@${what.split('^')[0]}`)
    .replace(LINK, (_whole, address: string, label?: string) => readLink(address.replace(/^mailto:/, ''), label))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .trim();
}

const readLink = (address: string, label: string | undefined) =>
  !label || address.includes(label) ? address : `${label} (${address})`;
