import { arcCard } from './arc/card.ts';
import type { ChannelCard } from './channelCard.ts';
import { slackCard } from './slack/card.ts';
import { teamsCard } from './teams/card.ts';

/** Every channel; what is not listed here is none. The rest of the contracts and the kernel know none by name. */
export const CHANNELS = [arcCard, slackCard, teamsCard] as const satisfies readonly ChannelCard[];
type Card = (typeof CHANNELS)[number];
type SurfaceOf<C extends ChannelCard> = C extends ChannelCard ? keyof C['surfaces'] & string : never;

export type ChannelName = Card['id'];
/** A channel of another company. */
export type RemoteChannel = Extract<Card, { isRemote: true }>['id'];
type ChannelSurface = SurfaceOf<Card>;

/** The channel of the product's own pages. */
export const OWN_CHANNEL: ChannelName = arcCard.id;

export const CHANNEL_NAMES: readonly ChannelName[] = CHANNELS.map(({ id }) => id);
/** Whatever is not known as our own is another company's. */
export const isRemoteChannel = (name: ChannelName): name is RemoteChannel =>
  CHANNELS.every(({ id, isRemote }) => id !== name || isRemote);
export const REMOTE_CHANNELS: readonly RemoteChannel[] = CHANNEL_NAMES.filter(isRemoteChannel);

export const CHANNEL_SURFACES = CHANNELS.flatMap(({ surfaces }) => Object.keys(surfaces) as ChannelSurface[]);

/** How each surface of a channel is called in "Approved by Ada Okafor in …". */
export const CHANNEL_PLACES = Object.assign({}, ...CHANNELS.map(({ surfaces }) => surfaces)) as Record<
  ChannelSurface,
  string
>;

/** The surface of a channel on which words answer. */
export const wordsSurfaceOf = (name: ChannelName): ChannelSurface =>
  (CHANNELS.find(({ id }) => id === name) ?? arcCard).wordsOn;

/** A channel as people call it in a sentence: "Teams". */
export const calledInSentence = (name: ChannelName): string => CHANNEL_PLACES[wordsSurfaceOf(name)];

/** The channel that stands on the integration screens under an id; undefined where none does. */
export const channelOfIntegration = (id: string): ChannelCard | undefined =>
  CHANNELS.find(({ integration }) => integration.id === id);

/** The channel that a surface is of; our own for one that is no channel's. */
export const channelOfSurface = (surface: string): ChannelName =>
  CHANNELS.find(({ surfaces }) => Object.hasOwn(surfaces, surface))?.id ?? OWN_CHANNEL;
