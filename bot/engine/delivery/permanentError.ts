/** A failure that a retry can't fix: the outbox gives up at once. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  /** Plain text for whoever asked; undefined where the channel has a text of its own, or none. */
  readonly told: string | undefined;

  /** @param options `cause`: the underlying error; `told`: plain text for whoever asked */
  constructor(message: string, { told, ...options }: ErrorOptions & { told?: string } = {}) {
    super(message, options);
    this.told = told;
  }
}
