import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import seen from '../../agents/clinical_safety/conversation/questions.seen.json' with { type: 'json' };
import thirdTune from '../../agents/clinical_safety/conversation/questions.thirdTune.json' with { type: 'json' };
import tune from '../../agents/clinical_safety/conversation/questions.tune.json' with { type: 'json' };
import tuneMore from '../../agents/clinical_safety/conversation/questions.tuneMore.json' with { type: 'json' };

/** A message as a person types it, what it wants, and whose manner of writing it is in. */
export type Message = { intent: string; text: string; author: string };

const FOLDER = new URL('./messages/', import.meta.url);

/** The training messages, by author. In a file, a line "## intent" stands above the messages of that intent. */
export function readMessages(): Message[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => readFile(name.replace('.txt', ''), readFileSync(new URL(name, FOLDER), 'utf8')));
}

function readFile(author: string, text: string): Message[] {
  let intent = '';
  return text.split('\n').flatMap((line) => {
    const heading = /^## (\S+)$/.exec(line)?.[1];
    if (heading) intent = heading;
    return heading || line.trim() === '' ? [] : [{ intent, text: line.trim(), author }];
  });
}

/** Signs of a text in another language, which is told by its words before any classifier is asked. */
const FOREIGN = /[\p{Script=Han}\p{Script=Cyrillic}¿]/u;

/** The labelled messages that answers may be tuned on (see `labels.ts`), without those in other languages. */
export function readTuned(): Message[] {
  return Object.entries({ seen, thirdTune, tune, tuneMore }).flatMap(([author, labels]) =>
    labels
      .filter(({ intent, text }) => intent !== 'language' || (/\b(?:speak|you)\b/.test(text) && !FOREIGN.test(text)))
      .map(({ intent, text }) => ({ intent, text, author })),
  );
}

/** SHA-256, in hex, of everything that decides the weights apart from the code: messages in their order, and settings. */
export const digestOfMessages = (messages: readonly Message[], settings: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([messages, settings]))
    .digest('hex');
