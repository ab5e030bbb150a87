import { User } from '../../../models/user.ts';

/** Fields of one group of a message's headers or of a report, by name in lower case; a folded line belongs to the one before. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return fields;
}

/** Headers and body of a message or of a part of one. */
function splitHead(text: string): { head: Map<string, string>; body: string } {
  const at = text.indexOf('\n\n');
  return at < 0
    ? { head: readFields(text), body: '' }
    : { head: readFields(text.slice(0, at)), body: text.slice(at + 2) };
}

/** The report within a bounced mail; null where it has none. What the mail returns of the one that was sent is not read. */
function findReport(message: string): string | null {
  const { head, body } = splitHead(message);
  const type = head.get('content-type') ?? '';
  const named = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  const boundary = named?.[1] ?? named?.[2];
  if (!/^multipart\/report\b/i.test(type) || !boundary) return null;
  for (const part of `\n${body}`.split(`\n--${boundary}`).slice(1)) {
    const { head: own, body: report } = splitHead(part.replace(/^[ \t]*\n/, ''));
    if (/^message\/(?:global-)?delivery-status\b/i.test(own.get('content-type') ?? '')) return report;
  }
  return null;
}

/** The address in "rfc822; Ada@Example.org", in lower case; null for other kinds of address. */
function addressOf(field: string | undefined): string | null {
  const address = /^(?:rfc822|utf-8)\s*;\s*<?([^\s<>@]+@[^\s<>@]+)>?$/i.exec(field ?? '')?.[1];
  return address?.toLowerCase() ?? null;
}

/**
 * The addresses that a delivery status report (RFC 3464) gives up for good: the action is "failed" and the status begins
 * with 5. Delays, and failures that may pass, give none. Where a mail was forwarded, the address is the one it was sent to.
 * @param message a raw mail with headers
 */
export function readGivenUp(message: string): string[] {
  const groups = (findReport(message.replace(/\r\n/g, '\n')) ?? '').split(/\n[ \t]*\n/).map(readFields);
  const found = groups.flatMap((fields) => {
    const isForGood = /^failed\b/i.test(fields.get('action') ?? '') && /^5\.\d/.test(fields.get('status') ?? '');
    const address = addressOf(fields.get('original-recipient')) ?? addressOf(fields.get('final-recipient'));
    return isForGood && address ? [address] : [];
  });
  return [...new Set(found)];
}

/** Stops notices to these addresses, as a refusal at sending does. Addresses of nobody are accepted alike. */
export async function noteBounces(addresses: readonly string[], now = new Date()): Promise<void> {
  const email = { $in: addresses.map((address) => address.trim().toLowerCase()) };
  await User.updateMany({ email, mailRefusedAt: null }, { $set: { mailRefusedAt: now } });
}
