/**
 * A message's text without its first line, where that only says the figures of the card above it in words: "Reading
 * complete: 25 rows, …". Every other line stays, whatever words it shares with the headline: a title stands nowhere
 * else, and a quote may hold it.
 */
export function withoutHeadline(text: string, headline: string): string {
  const [first = '', ...others] = text.split('\n');
  const words = first.trim().replace(/\.$/, '');
  return /^\p{L}[\p{L} ]{0,40}: /u.test(words) && words.endsWith(`: ${headline}`) ? others.join('\n') : text;
}
