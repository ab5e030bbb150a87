// `npm run train-intents`: trains the classifier of intents, says how it fares on an author who was left out, and writes
// its weights.
import { writeFileSync } from 'node:fs';
import { type Message, readMessages, readTuned } from './readMessages.ts';
import { calibrate, rankAll, train } from './train.ts';

const CALIBRATED_ON = 'nurseProductManager';
const TESTED_ON = 'regulatoryLead';
const WEIGHTS = new URL('../../../bot/agents/clinical_safety/answers/intentWeights.generated.json', import.meta.url);

/** Prints how often the likeliest intent is the right one, altogether and where it is at least so likely. */
function report(name: string, rated: ReturnType<typeof rankAll>): void {
  const isRight = ({ message, ranks }: (typeof rated)[number]) => ranks[0]?.name === message.intent;
  const share = (of: typeof rated) => (of.filter(isRight).length / Math.max(1, of.length)).toFixed(3);
  const sure = rated.filter(({ ranks }) => (ranks[0]?.probability ?? 0) >= 0.5);
  console.log(`${name}: ${share(rated)} of ${rated.length}; of those at 0.5 or more ${share(sure)} of ${sure.length}`);
}

const messages = readMessages();
const by = (author: string): Message[] => messages.filter((message) => message.author === author);
const rest = messages.filter(({ author }) => author !== CALIBRATED_ON && author !== TESTED_ON);
console.log(`${messages.length} messages of ${new Set(messages.map(({ author }) => author)).size} authors`);
const first = train(rest);
const temperature = calibrate(first, by(CALIBRATED_ON));
console.log(`temperature ${temperature.toFixed(2)}`);
const split = { ...first, temperature };
report(`calibrated on ${CALIBRATED_ON}`, rankAll(split, by(CALIBRATED_ON)));
report(`tested on ${TESTED_ON}`, rankAll(split, by(TESTED_ON)));
report('tuned sets, not trained with', rankAll(split, readTuned()));
const stored = train(process.argv.includes('--authors-only') ? messages : [...messages, ...readTuned()], temperature);
writeFileSync(WEIGHTS, `${JSON.stringify(stored)}\n`);
console.log(`${stored.weights.length} bytes of weights, ${stored.classes.length} intents`);
