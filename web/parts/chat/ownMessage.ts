const listeners = new Set<() => void>();

/** Announces that this page has sent a message: the list then scrolls to its end. */
export function ownMessageSent(): void {
  for (const listener of listeners) listener();
}

/** Calls back for each sent message. @returns a function that unsubscribes */
export function onOwnMessage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
