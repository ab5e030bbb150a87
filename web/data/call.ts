import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../../models/contracts/endpoint.ts';
import type { ErrorBody } from '../../models/contracts/errors.ts';
import { bearerHeader } from './bearer.ts';
import { personHeader } from './person.ts';

// biome-ignore lint/suspicious/noExplicitAny: stands for a contract of any shape
export type AnyEndpoint = Endpoint<any, any, any, any>;

/** Input of a call: each part only if the contract has it. */
export type Input<E> = {
  params?: ParamsOf<E>;
  query?: Partial<QueryOf<E>>;
  body?: BodyOf<E>;
};

/** An unsuccessful response. The message is "status: body" (docs/spec-coverage.md, S1 section 8). */
export class CallError extends Error {
  readonly status: number;
  /** The parsed body; null if it is not an error of the server. */
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

/** The server's error text; the fallback if there is none. */
export function textOf(error: unknown, fallback: string): string {
  if (error instanceof CallError) return error.body?.error ?? fallback;
  return fallback;
}

/** {@link textOf} where no form marks the fields: the first field's message comes first. */
export function plainTextOf(error: unknown, fallback: string): string {
  const [field] = Object.values(error instanceof CallError ? (error.body?.fields ?? {}) : {});
  return field ?? textOf(error, fallback);
}

/** The server's error code; null if it sent none. */
export function codeOf(error: unknown): string | null {
  return error instanceof CallError ? (error.body?.code ?? null) : null;
}

const sessionListeners = new Set<() => void>();

/** Calls back when the server refuses a call because nobody, or another person than the page shows, is signed in. */
export function onOtherSession(listener: () => void): void {
  sessionListeners.add(listener);
}

function refusalOf(response: Response, text: string): CallError {
  const error = new CallError(response.status, text, response.statusText);
  if (['not_signed_in', 'other_person'].includes(codeOf(error) ?? ''))
    for (const listener of sessionListeners) listener();
  return error;
}

/** The URL of a call with path parameters and query. */
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

const identityHeaders = () => ({ ...bearerHeader(), ...personHeader() });

/** Calls an endpoint of the contracts. The content type is JSON if there is a body other than a form. */
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
      ...identityHeaders(),
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw refusalOf(response, text);
  return (text ? JSON.parse(text) : null) as AnswerOf<E>;
}

/** Fetches a file and lets the browser save it; throws a {@link CallError} if the server refuses. */
export async function download(url: string, fileName: string, method: 'GET' | 'POST' = 'GET'): Promise<void> {
  const response = await fetch(url, { method, credentials: 'same-origin', headers: identityHeaders() });
  if (!response.ok) throw refusalOf(response, await response.text());
  saveAs(await response.blob(), fileName);
}

/** Lets the browser save bytes as a file. */
function saveAs(bytes: Blob, fileName: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
