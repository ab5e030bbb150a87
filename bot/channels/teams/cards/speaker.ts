import { nameOf, pictureOf, type Speaker } from '../../../engine/delivery/speaker.ts';
import { type Part, subtle } from './card.ts';

/** The top line of a card: the agent's monogram and name. */
export function speakerLine(speaker: Speaker): Part | null {
  const name = nameOf(speaker);
  if (!name) return null;
  const url = pictureOf(speaker);
  if (!url) return subtle(name);
  return {
    type: 'ColumnSet',
    columns: [
      { type: 'Column', width: 'auto', items: [{ type: 'Image', url, altText: '', width: '20px', style: 'Person' }] },
      { type: 'Column', width: 'stretch', verticalContentAlignment: 'Center', items: [subtle(name)] },
    ],
  };
}
