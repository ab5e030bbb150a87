import type { AnswerBody, Interrupt } from '../../models/contracts/interrupts.ts';

type Sign = NonNullable<AnswerBody['sign']>;
/** An answer that waits for its signature. */
type Waiting = {
  prompt: string;
  /** Sends the answer with the signature. @throws CallError where it is refused; then it can be tried again */
  send(sign: Sign): Promise<void>;
  cancel(): void;
};

let waiting: Waiting | null = null;
const listeners = new Set<() => void>();
function set(next: Waiting | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/**
 * Asks the person to sign an answer.
 * @param send sends the answer with a signature
 * @param refusal the server's refusal of the answer without one: what the caller gets where the person does not sign
 */
export function signAnswer(
  { prompt }: Pick<Interrupt, 'prompt'>,
  send: (sign: Sign) => Promise<Interrupt>,
  refusal: Error,
): Promise<Interrupt> {
  waiting?.cancel();
  return new Promise((resolve, reject) => {
    set({
      prompt,
      async send(sign) {
        const answered = await send(sign);
        set(null);
        resolve(answered);
      },
      cancel() {
        set(null);
        reject(refusal);
      },
    });
  });
}

/** The answer that waits for its signature, for `useSyncExternalStore`. */
export const signingStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => waiting,
};
