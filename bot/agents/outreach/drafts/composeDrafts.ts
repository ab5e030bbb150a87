import type { Prospect } from '../list/readList.ts';

/** What the mails say, in the words of whoever sends them. */
export type Texts = { offer: string; ask: string; from: string; subject?: string | undefined };

/** The mails to one person, as drafts. */
export type Draft = {
  row: number;
  address: string;
  name: string;
  company: string;
  subject: string;
  first: string;
  second: string;
  third: string;
};

/** Days after the first mail. */
export const DAYS = { first: 0, second: 4, third: 10 } as const;

const MAX_SUBJECT = 78;
const OPT_OUT_LINE = 'If you do not want to hear from us again, reply “stop” and we will not write to you.';

/** The subject: as given, else the first sentence of the offer, cut between words. */
export function subjectOf({ subject, offer }: Texts): string {
  const [first = ''] = (subject?.trim() || offer.trim()).split(/(?<=[.!?])\s|\n/, 1);
  const plain = first.replace(/[.]$/, '');
  if (plain.length <= MAX_SUBJECT) return plain;
  const cut = plain.slice(0, MAX_SUBJECT).toWellFormed();
  return cut.slice(0, cut.lastIndexOf(' ') + 1).trim() || cut;
}

const paragraphs = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join('\n\n');

/** The mails to somebody whose greeting is known. They hold nothing but the list's cells and the sender's own words. */
export function composeDraft({ row, address, name, company, role, opening, greeting }: Prospect, texts: Texts): Draft {
  const { offer, ask, from } = texts;
  const dear = `${greeting ?? 'Hello'},`;
  const why =
    role && company ? `I am writing to you as ${role} at ${company}.` : company && `I am writing to ${company}.`;
  return {
    ...{ row, address, name, company, subject: subjectOf(texts) },
    first: paragraphs(dear, opening, why, offer, ask, from, OPT_OUT_LINE),
    second: paragraphs(dear, 'A few days ago I wrote to you about this:', offer, ask, from, OPT_OUT_LINE),
    third: paragraphs(dear, 'This is my last mail on this.', ask, from, OPT_OUT_LINE),
  };
}
