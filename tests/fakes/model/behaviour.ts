/** What a model's server does with one request. */
export type Behaviour = {
  text?: string;
  calls?: { id?: string; name: string; input: unknown }[];
  /** Sent instead of the arguments of the calls: arguments that are no JSON. */
  rawArguments?: string;
  /** Refuses with this status. */
  status?: number;
  headers?: Record<string, string>;
  /** Milliseconds before each chunk. */
  pause?: number;
  /** Ends the socket after so many chunks of text. */
  cutAfter?: number;
  /** Bytes that are no stream of the protocol. */
  junk?: string;
  /** Ends as a model does that reached its longest answer. */
  isTooLong?: boolean;
  /** Waits for this before the first chunk. */
  until?: Promise<unknown>;
  /** Waits for this before each chunk of text; given the number of those sent. */
  before?: (sent: number) => unknown;
  /** Called when the first chunk of text is sent. */
  onText?: () => void;
};

/** A request as the test sees it, whatever the dialect. */
export type Asked = {
  path: string;
  model: string;
  system: string;
  /** Contents of the messages in order, as JSON text where they are not plain. */
  messages: { role: string; content: string }[];
  tools: string[];
  temperature: number | undefined;
  /** Number of requests so far, from 1. */
  number: number;
  /** The body as it came. */
  body: object;
};

/** Tokens that every answer says it used: 120 of input and 30 of output. */
export const USAGE = { input: 120, output: 30 };

/** A text in chunks of about four words. */
export const chunksOf = (text: string): string[] => text.match(/(?:\S+\s*){1,4}/g) ?? (text ? [text] : []);
