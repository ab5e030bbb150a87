import type { ChannelPlugIn } from '../engine/delivery/plugIn.ts';
import { arc } from './arc/index.ts';
import { slack } from './slack/index.ts';
import { teams } from './teams/index.ts';

/** Every channel. The edges load only what is listed here. */
export const channels: readonly ChannelPlugIn[] = [arc, slack, teams];
