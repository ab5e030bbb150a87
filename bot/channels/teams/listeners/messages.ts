import { logger } from '../../../../models/logger.ts';
import { isOn } from '../install/installations.ts';
import type { Received } from '../platform/activity.ts';
import { hear, hearMessage, isMeant, wordsOf } from '../talk/inbound.ts';
import { tellAlone } from '../talk/outbound.ts';
import { answerByButton, isAnswer, type Pressed } from './answers.ts';
import { wordsFor } from './cardActions.ts';
import { answerCommand } from './commands.ts';
import { memberBehind, type Source } from './source.ts';

/** A message: words of a person, or a button of a card by a client that knows no other way. */
export async function onMessage(source: Source): Promise<void> {
  const { installation, activity, place } = source;
  const pressed = readPressed(activity);
  if (pressed === null) {
    if (isMeant(activity) && (await answerCommand(source, wordsOf(activity)))) return;
    await hearMessage(installation, activity);
    return;
  }
  if (!(await isOn(installation))) return;
  if (pressed.verb === 'say' && typeof pressed.say === 'string') {
    const eventId = `${activity.conversation.id}:${activity.id}`;
    const said = { userId: activity.from.id, text: pressed.say, files: [], manner: 'said' as const, eventId };
    await hear(installation, place, said);
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
    const who = await memberBehind(source);
    if (isAnswer(pressed.verb)) await answerByButton(who, pressed);
  } catch (error) {
    const text = wordsFor(error, activity.id);
    const reference = await source.reference();
    if (!reference) return;
    await tellAlone({ installation, reference, place }, activity.from.id, text).catch((failure: unknown) =>
      logger.warn({ err: failure }, 'a person could not be told'),
    );
  }
}
