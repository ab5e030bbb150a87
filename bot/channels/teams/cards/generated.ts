import { baseUrl } from '../../../../models/env.ts';
import type { MessageRow } from '../../../../models/message.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import type { Activity } from '../platform/activity.ts';

/** Limits of Teams for citations (docs/platforms.md): their number, and characters of a title and of an abstract. */
const MAX_CITATIONS = 20;
const MAX_NAME_LENGTH = 80;
const MAX_ABSTRACT_LENGTH = 160;

/** The label of generated text, with what its numbers refer to. */
function labelOf({ sources }: NonNullable<MessageRow['generated']>): NonNullable<Activity['entities']>[number] {
  const citation = sources.slice(0, MAX_CITATIONS).map(({ number, labels, path }) => ({
    '@type': 'Claim',
    position: number,
    appearance: {
      '@type': 'DigitalDocument',
      name: shorten(labels[0] ?? `Source ${number}`, MAX_NAME_LENGTH),
      abstract: shorten(labels.join('; ') || `Source ${number}`, MAX_ABSTRACT_LENGTH),
      ...(path ? { url: new URL(path, baseUrl()).href } : {}),
    },
  }));
  return {
    type: 'https://schema.org/Message',
    '@type': 'Message',
    '@context': 'https://schema.org',
    '@id': '',
    additionalType: ['AIGeneratedContent'],
    ...(citation.length > 0 ? { citation } : {}),
  };
}

/** The activities of a message, with the label of generated text where it is read first, and thumbs where it ends. */
export function withLabels(
  activities: readonly Activity[],
  { generated, isRated }: { generated: MessageRow['generated'] | undefined; isRated: boolean },
): Activity[] {
  return activities.map((activity, at) => ({
    ...activity,
    ...(generated && at === 0 ? { entities: [labelOf(generated)] } : {}),
    ...(isRated && at === activities.length - 1 ? { channelData: { feedbackLoop: { type: 'default' } } } : {}),
  }));
}
