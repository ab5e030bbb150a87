import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { FoundThing } from '../../../engine/agents/agent.ts';
import { linkToChat, linkToReview, outcomeUnder } from '../../../engine/delivery/consent.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { viewWithoutRows } from '../../../engine/questions/kinds/index.ts';
import type { Attachment } from '../platform/activity.ts';
import { attach, type Card, card, openUrl, subtle, textBlock } from './card.ts';
import { plain } from './text.ts';

/** A search result: its line in the list, and the card that is inserted into the chat. */
export type SearchResult = { title: string; text: string; attachment: Attachment };

const result = (title: string, text: string, drawn: Card): SearchResult => ({
  title,
  text,
  attachment: {
    ...attach(drawn),
    preview: { contentType: 'application/vnd.microsoft.card.thumbnail', content: { title, text } },
  } as Attachment,
});

/** A result of an agent's search, which already holds only what the consent mode allows. */
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

/** A question and its state. It can be answered in its own conversation or in Arc, not here. */
export function questionResult(question: Interrupt, mode: ConsentMode): SearchResult {
  const { prompt } = viewWithoutRows(question, mode);
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
