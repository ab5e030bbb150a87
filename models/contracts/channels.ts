import { arcCard } from './arc/card.ts';
import type { ChannelCard } from './channelCard.ts';
import { slackCard } from './slack/card.ts';
import { teamsCard } from './teams/card.ts';

/** Every channel. The rest of the contracts and the kernel know none by name. */
export const CHANNELS = [arcCard, slackCard, teamsCard] as const satisfies readonly ChannelCard[];
type Card = (typeof CHANNELS)[number];
type SurfaceOf<C extends ChannelCard> = C extends ChannelCard ? keyof C['surfaces'] & string : never;

export type ChannelName = Card['id'];
/** A channel whose content goes to another company's servers. */
export type RemoteChannel = Extract<Card, { isRemote: true }>['id'];
type ChannelSurface = SurfaceOf<Card>;

/** The channel of our own pages. */
export const OWN_CHANNEL: ChannelName = arcCard.id;

export const CHANNEL_NAMES: readonly ChannelName[] = CHANNELS.map(({ id }) => id);
/** Fails safe: an unknown channel counts as remote, so that consent applies. */
export const isRemoteChannel = (name: ChannelName): name is RemoteChannel =>
  CHANNELS.every(({ id, isRemote }) => id !== name || isRemote);
export const REMOTE_CHANNELS: readonly RemoteChannel[] = CHANNEL_NAMES.filter(isRemoteChannel);

export const CHANNEL_SURFACES = CHANNELS.flatMap(({ surfaces }) => Object.keys(surfaces) as ChannelSurface[]);

/** Surface names for "Approved by Ada Okafor in …". */
export const CHANNEL_PLACES = Object.assign({}, ...CHANNELS.map(({ surfaces }) => surfaces)) as Record<
  ChannelSurface,
  string
>;

/** The surface of a channel on which people answer in words. */
export const wordsSurfaceOf = (name: ChannelName): ChannelSurface =>
  (CHANNELS.find(({ id }) => id === name) ?? arcCard).wordsOn;

/** Display name of a channel in a sentence: "Teams". */
export const calledInSentence = (name: ChannelName): string => CHANNEL_PLACES[wordsSurfaceOf(name)];

/** The channel whose integration has this id; undefined where there is none. */
export const channelOfIntegration = (id: string): ChannelCard | undefined =>
  CHANNELS.find(({ integration }) => integration.id === id);

/** The channel of a surface; our own for a surface that no channel has. */
export const channelOfSurface = (surface: string): ChannelName =>
  CHANNELS.find(({ surfaces }) => Object.hasOwn(surfaces, surface))?.id ?? OWN_CHANNEL;
