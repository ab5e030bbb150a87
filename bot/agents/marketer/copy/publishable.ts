import { type Copy, isGap, type Piece } from './composeCopy.ts';

/** Copy that can go into a tool as it stands; a text with a place that a person has to fill is null. */
export type Publishable = { mail: { subject: string; text: string } | null; post: string | null };

/** Texts of pieces; null where one of them is a gap, or there is none. */
function textsOf(pieces: readonly Piece[]): string[] | null {
  const texts = pieces.flatMap((piece) => (isGap(piece) ? [] : [piece.text]));
  return texts.length > 0 && texts.length === pieces.length ? texts : null;
}

/** The mail and the post of the copy. */
export function publishableOf({ texts }: Copy): Publishable {
  const pieces = (title: string, label?: string) =>
    texts
      .filter((text) => text.title === title)
      .flatMap(({ parts }) => parts.filter((part) => label === undefined || part.label === label))
      .flatMap((part) => part.pieces);
  const subject = textsOf(pieces('Mail', 'Subject'));
  const text = textsOf([...pieces('Mail', 'Text'), ...pieces('Mail', 'Call to action')]);
  return {
    mail: subject && text ? { subject: subject.join(' '), text: text.join('\n\n') } : null,
    post: textsOf(pieces('Post'))?.join(' ') ?? null,
  };
}
