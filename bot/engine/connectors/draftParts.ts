import { escapeHtml } from '../mail/escapeHtml.ts';
import type { CrmDraft, CrmMail } from './crmSource.ts';

/** Longest name of a draft: the shortest limit of any tool. */
const MAX_NAME = 80;

/** A name that ends in a mark, by which the draft is found again. */
const nameWith = (name: string, mark: string): string => {
  const end = ` (${mark})`;
  return `${name
    .slice(0, MAX_NAME - end.length)
    .toWellFormed()
    .trim()}${end}`;
};

/** The name of a draft that is one record of the tool: "Rota planner (Arc 1a2b3c4d)". */
export const nameOfDraft = ({ name, key }: Pick<CrmDraft, 'name' | 'key'>): string => nameWith(name, `Arc ${key}`);

/** The mails of a draft as records of their own: "Rota planner (Arc 1a2b3c4d, 1 of 3)". */
export const draftParts = ({ name, key, mails }: CrmDraft): (CrmMail & { name: string })[] =>
  mails.map((mail, at) => ({
    ...mail,
    name: nameWith(name, mails.length === 1 ? `Arc ${key}` : `Arc ${key}, ${at + 1} of ${mails.length}`),
  }));

/** All mails of a draft as one text, with the link to Arc. */
export const draftText = ({ mails, link }: CrmDraft): string =>
  [
    `Draft by Arc, not sent. ${link}`,
    ...mails.map(({ subject, text }, at) => `Mail ${at + 1} of ${mails.length}\nSubject: ${subject}\n\n${text}`),
  ].join('\n\n---\n\n');

/** The text of a mail as HTML: a paragraph for each, with its line breaks. */
export const mailHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('');
