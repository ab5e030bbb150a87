import { logger } from '../../../../models/logger.ts';
import { isOn } from '../install/installations.ts';
import type { Received } from '../platform/activity.ts';
import { acceptTeamsMessage, isForAgent, storeTurn, wordsOf } from '../talk/inbound.ts';
import { sendPrivately } from '../talk/outbound.ts';
import { answerByButton, isAnswer, type Pressed } from './answers.ts';
import { describeError } from './cardActions.ts';
import { answerCommand } from './commands.ts';
import { requireSender, type Source } from './source.ts';

/** Handles a message: a person's text, or a card's button from a client without `Action.Execute`. */
export async function onMessage(source: Source): Promise<void> {
  const { installation, activity, place } = source;
  const pressed = readPressed(activity);
  if (pressed === null) {
    if (isForAgent(activity) && (await answerCommand(source, wordsOf(activity)))) return;
    await acceptTeamsMessage(installation, activity);
    return;
  }
  if (!(await isOn(installation))) return;
  if (pressed.verb === 'say' && typeof pressed.say === 'string') {
    const eventId = `${activity.conversation.id}:${activity.id}`;
    const input = { userId: activity.from.id, text: pressed.say, files: [], manner: 'said' as const, eventId };
    await storeTurn(installation, place, input);
    return;
  }
  await answerByMessage(source, pressed);
}

/** `Action.Submit` comes as a message with a value and no text. */
function readPressed({ value, text }: Received): Pressed | null {
  return typeof value === 'object' && value !== null && !text ? (value as Pressed) : null;
}

async function answerByMessage(source: Source, pressed: Pressed): Promise<void> {
  const { activity, installation, place } = source;
  try {
    const who = await requireSender(source);
    if (isAnswer(pressed.verb)) await answerByButton(who, pressed);
  } catch (error) {
    const text = describeError(error, activity.id);
    const reference = await source.reference();
    if (!reference) return;
    await sendPrivately({ installation, reference, place }, activity.from.id, text).catch((failure: unknown) =>
      logger.warn({ err: failure }, 'could not reply to a button'),
    );
  }
}
