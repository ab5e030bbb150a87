/** Names that look like ticket keys and are standards, drugs' trial names, encodings or diseases. */
const NOT_TICKETS =
  /^(?:DCB|ISO|IEC|EN|BS|COVID|SARS|UTF|SHA|MD|TLS|SSL|RFC|HL|ICD|CVE|CWE|OWASP|WCAG|MDCG|GDPR|NIST|AES|RSA|HTTP|HTTPS|FHIR|STU|SNOMED|GPSR|GSPR|UK|EU|NHS|TBC|TBD|COPD|HBA|CA|B|A|H|C|T|V|X)$/;

/** Ticket keys that a text names ("EPS-142"), each once, in their order. */
export function findTicketKeys(text: string): string[] {
  if (!text.includes('-')) return [];
  const keys = new Set<string>();
  for (const [key, prefix] of text.matchAll(/\b([A-Z][A-Z0-9_]{1,9})-\d{1,6}\b/g))
    if (prefix && !NOT_TICKETS.test(prefix)) keys.add(key);
  return [...keys];
}
