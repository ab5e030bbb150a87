import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { FoundHazard } from '../../../agents/clinical_safety/results/listHazards.ts';
import { linkToChat, linkToReview, outcomeUnder } from '../../../engine/delivery/consent.ts';
import { viewQuestion } from '../../../engine/questions/kinds/index.ts';
import type { Attachment } from '../activity.ts';
import { attach, type Card, card, openUrl, subtle, textBlock } from './card.ts';
import { plain, shorten } from './text.ts';

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

/** A hazard, as far as the mode lets it leave. */
export function hazardResult(hazard: FoundHazard, mode: ConsentMode): SearchResult {
  const { id, proposed, name, description } = hazard;
  const title = mode === 'full' ? name : mode === 'redacted' ? hazard.title : null;
  const line = title ? `${id} ${title}` : id;
  const text = proposed ? 'Proposed, for review' : 'In the hazard log';
  return result(
    shorten(line, 200),
    text,
    card(
      [
        textBlock(`**${plain(id)}**${title ? ` ${plain(shorten(title, 500))}` : ''}`),
        mode === 'full' && description ? textBlock(plain(shorten(description, 2000))) : null,
        subtle(text),
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
