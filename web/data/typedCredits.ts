/** A typed number of credits, with or without commas or spaces as separators; null unless it is a positive integer. */
export function creditsOf(typed: string): number | null {
  const digits = typed.trim().replace(/(?<=\d)[,\s](?=\d{3}(?!\d))/g, '');
  const credits = /^\d+$/.test(digits) ? Number(digits) : 0;
  return credits > 0 && Number.isSafeInteger(credits) ? credits : null;
}
