import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../../models/contracts/endpoint.ts';
import type { ErrorBody } from '../../models/contracts/errors.ts';
import { bearerHeader } from './bearer.ts';
import { personHeader } from './person.ts';

// biome-ignore lint/suspicious/noExplicitAny: any contract, whatever its shapes
export type AnyEndpoint = Endpoint<any, any, any, any>;

/** What a call is given: each part only where the contract has one. */
export type Input<E> = {
  params?: ParamsOf<E>;
  query?: Partial<QueryOf<E>>;
  body?: BodyOf<E>;
};

/** An unsuccessful answer. The message is "status: body", as the specification has it; the parsed body stands beside it. */
export class CallError extends Error {
  readonly status: number;
  readonly body: ErrorBody | null;

  constructor(status: number, text: string, statusText: string) {
    super(`${status}: ${text || statusText}`);
    this.name = 'CallError';
    this.status = status;
    this.body = parse(text);
  }
}

function parse(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'error' in body ? (body as ErrorBody) : null;
  } catch {
    return null;
  }
}

/** What went wrong in words for a person: the server's, or what the page says where there are none. */
export function textOf(error: unknown, otherwise: string): string {
  if (error instanceof CallError) return error.body?.error ?? otherwise;
  return otherwise;
}

/** The error's code where the server gave one. */
export function codeOf(error: unknown): string | null {
  return error instanceof CallError ? (error.body?.code ?? null) : null;
}

const sessionListeners = new Set<() => void>();

/** Calls back when the server refuses a call because nobody is signed in, or another than the page shows. */
export function onOtherSession(listener: () => void): void {
  sessionListeners.add(listener);
}

function refusal(response: Response, text: string): CallError {
  const error = new CallError(response.status, text, response.statusText);
  if (['not_signed_in', 'other_person'].includes(codeOf(error) ?? ''))
    for (const listener of sessionListeners) listener();
  return error;
}

/** The address of a call: parameters filled in, query appended. */
export function urlOf<E extends AnyEndpoint>(endpoint: E, input: Pick<Input<E>, 'params' | 'query'> = {}): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Makes a call of the contracts and gives its answer, typed. JSON is sent only when there is a body. */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: Input<E> = {},
  options: { keepalive?: boolean } = {},
): Promise<AnswerOf<E>> {
  const body = input.body as unknown;
  const isForm = body instanceof FormData;
  const response = await fetch(urlOf(endpoint, input), {
    method: endpoint.method.toUpperCase(),
    credentials: 'same-origin',
    keepalive: options.keepalive ?? false,
    headers: {
      ...bearerHeader(),
      ...personHeader(),
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  return (text ? JSON.parse(text) : null) as AnswerOf<E>;
}

/** Fetches a file and hands it to the browser to save; throws a {@link CallError} with the server's words. */
export async function download(url: string, fileName: string): Promise<void> {
  const response = await fetch(url, { credentials: 'same-origin', headers: personHeader() });
  if (!response.ok) throw refusal(response, await response.text());
  saveAs(await response.blob(), fileName);
}

/** Hands bytes to the browser to save. */
export function saveAs(bytes: Blob, fileName: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
