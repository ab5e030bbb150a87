/** A failure that another try does not change: the outbox gives up at once. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  /** What whoever asked for it is told, in plain text; undefined where the channel has its own words, or none. */
  readonly told: string | undefined;

  /** @param options `cause`: what failed; `told`: what whoever asked for it is told, in plain text */
  constructor(message: string, { told, ...options }: ErrorOptions & { told?: string } = {}) {
    super(message, options);
    this.told = told;
  }
}
