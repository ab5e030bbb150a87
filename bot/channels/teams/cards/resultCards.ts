import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { FoundThing } from '../../../engine/agents/agent.ts';
import { linkToChat, linkToReview, outcomeUnder } from '../../../engine/delivery/consent.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { viewQuestion } from '../../../engine/questions/kinds/index.ts';
import type { Attachment } from '../platform/activity.ts';
import { attach, type Card, card, openUrl, subtle, textBlock } from './card.ts';
import { plain } from './text.ts';

/** What a search found: as a line of the list, and as the card that is put into the chat. */
export type SearchResult = { title: string; text: string; attachment: Attachment };

const result = (title: string, text: string, drawn: Card): SearchResult => ({
  title,
  text,
  attachment: {
    ...attach(drawn),
    preview: { contentType: 'application/vnd.microsoft.card.thumbnail', content: { title, text } },
  } as Attachment,
});

/** Something that an agent's search found; what may not leave is not in it. */
export function foundResult({ id, title, text, state }: FoundThing): SearchResult {
  return result(
    shorten(title ? `${id} ${title}` : id, 200),
    state,
    card(
      [
        textBlock(`**${plain(id)}**${title ? ` ${plain(shorten(title, 500))}` : ''}`),
        text ? textBlock(plain(shorten(text, 2000))) : null,
        subtle(state),
      ],
      [openUrl('Open in Arc', linkToChat())],
    ),
  );
}

/** A question and how it stands; answered is it in its own conversation, or in Arc. */
export function questionResult(question: Interrupt, mode: ConsentMode): SearchResult {
  const { prompt } = viewQuestion(question, mode);
  const text = question.status === 'pending' ? `Waiting, asked by ${question.agentName}` : outcomeUnder(mode, question);
  return result(
    shorten(`${question.id} ${prompt}`, 200),
    text,
    card(
      [textBlock(plain(shorten(prompt, 1000)), { weight: 'Bolder' }), subtle(plain(text))],
      [openUrl('Open in Arc', linkToReview(question.id))],
    ),
  );
}
