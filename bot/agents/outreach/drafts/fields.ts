import type { Texts } from './composeDrafts.ts';

/** What has to be known before a draft is written, with the question for it. */
export const TEXT_FIELDS: readonly { name: keyof Texts & ('offer' | 'ask' | 'from'); question: string }[] = [
  { name: 'offer', question: 'What do you offer? One to three sentences, as they should stand in the mail.' },
  { name: 'ask', question: 'What do you ask for? One sentence, for example “May I show it to you for 20 minutes?”' },
  { name: 'from', question: 'Who sends it? The name and company as they should stand below the mail.' },
];

/** A value in a request: "Offer: We make a rota planner." */
const FIELD = /^\s*(offer|ask|from|subject)\s*:\s*(\S.*)$/i;

export const isTextField = (line: string): boolean => FIELD.test(line);

/** The values that a request gives, by name. */
export function readTexts(request: string): Partial<Texts> {
  const texts: Partial<Texts> = {};
  for (const line of request.split('\n')) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name && value) texts[name.toLowerCase() as keyof Texts] = value.trim();
  }
  return texts;
}

/** Names that a person gave for rows without one: "jo@a.example: Jo", one a line, as “Dear Jo” by row. */
export function readNames(answer: string, asked: readonly { row: number; address: string }[]): Record<string, string> {
  const names: Record<string, string> = {};
  for (const line of answer.split(/\n|;/)) {
    const at = line.indexOf(':');
    const name = line.slice(at + 1).trim();
    if (at === -1 || name === '') continue;
    const who = line
      .slice(0, at)
      .trim()
      .replace(/^row\s+/i, '');
    const found = asked.find(({ row, address }) => who.toLowerCase() === address || who === String(row));
    if (found) names[found.row] = `Dear ${name}`;
  }
  return names;
}
