import { type Behaviour, chunksOf, USAGE } from './behaviour.ts';

/** A server-sent event. */
type Sent = { event?: string; data: unknown };

/** How a provider's protocol is served. */
export type Dialect = {
  path: string;
  /** The key of a request; null where the header is missing. */
  keyOf(headers: Record<string, string | string[] | undefined>): string | null;
  /** The events of an answer, one list for each chunk. */
  events(it: Behaviour, model: string, number: number): Sent[][];
  /** What ends a stream. */
  end?: string;
};

const bearer = (headers: Record<string, string | string[] | undefined>) =>
  /^Bearer (.+)$/.exec(String(headers.authorization ?? ''))?.[1] ?? null;

const callsOf = ({ calls = [], rawArguments }: Behaviour, number: number) =>
  calls.map(({ id, name, input }, at) => ({
    id: id ?? `call-${number}-${at}`,
    name,
    arguments: rawArguments ?? JSON.stringify(input),
  }));

/** OpenAI's chat completions, which self-hosted servers speak too. */
const chat: Dialect = {
  path: '/v1/chat/completions',
  keyOf: bearer,
  events(it, model, number) {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      data: {
        ...{ id: `chat-${number}`, object: 'chat.completion.chunk', created: 1, model },
        choices: [{ index: 0, delta, finish_reason }],
      },
    });
    const calls = callsOf(it, number).map(({ id, name, arguments: args }, index) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] }),
    );
    const usage = { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: 150 };
    const reason = it.isTooLong ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
    return [
      [chunk({ role: 'assistant', content: '' })],
      ...chunksOf(it.text ?? '').map((content) => [chunk({ content })]),
      ...calls.map((one) => [one]),
      [
        chunk({}, reason),
        { data: { id: `chat-${number}`, object: 'chat.completion.chunk', created: 1, model, choices: [], usage } },
      ],
    ];
  },
  end: 'data: [DONE]\n\n',
};

/** OpenAI's responses. */
const responses: Dialect = {
  path: '/v1/responses',
  keyOf: bearer,
  events(it, model, number) {
    let sequence_number = 0;
    const event = (type: string, more: object): Sent => ({
      event: type,
      data: { type, sequence_number: sequence_number++, ...more },
    });
    const response = { id: `resp-${number}`, object: 'response', created_at: 1, model, output: [] };
    const item = `msg-${number}`;
    const texts = chunksOf(it.text ?? '');
    const message = { id: item, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const begin = event('response.output_item.added', { output_index: 0, item: message });
    const end = event('response.output_item.done', { output_index: 0, item: { ...message, status: 'completed' } });
    const calls = callsOf(it, number).map(({ id, name, arguments: args }, at) => {
      const [output_index, call] = [
        at + 1,
        { id: `fc-${id}`, type: 'function_call', call_id: id, name, arguments: '' },
      ];
      return [
        event('response.output_item.added', { output_index, item: { ...call, status: 'in_progress' } }),
        event('response.function_call_arguments.delta', { output_index, item_id: call.id, delta: args }),
        event('response.output_item.done', { output_index, item: { ...call, arguments: args, status: 'completed' } }),
      ];
    });
    const usage = { input_tokens: USAGE.input, output_tokens: USAGE.output, total_tokens: 150 };
    const last = it.isTooLong
      ? event('response.incomplete', {
          response: { ...response, usage, incomplete_details: { reason: 'max_output_tokens' } },
        })
      : event('response.completed', { response: { ...response, usage } });
    return [
      [event('response.created', { response })],
      ...(texts.length > 0 ? [[begin]] : []),
      ...texts.map((delta) => [
        event('response.output_text.delta', { item_id: item, output_index: 0, content_index: 0, delta }),
      ]),
      ...(texts.length > 0 ? [[end]] : []),
      ...calls,
      [last],
    ];
  },
};

/** Anthropic's messages. */
const anthropic: Dialect = {
  path: '/v1/messages',
  keyOf: (headers) => (headers['x-api-key'] === undefined ? null : String(headers['x-api-key'])),
  events(it, model, number) {
    const event = (type: string, more: object = {}): Sent => ({ event: type, data: { type, ...more } });
    const texts = chunksOf(it.text ?? '');
    const block = (index: number, content_block: object, deltas: object[]) => [
      [event('content_block_start', { index, content_block })],
      ...deltas.map((delta) => [event('content_block_delta', { index, delta })]),
      [event('content_block_stop', { index })],
    ];
    const calls = callsOf(it, number);
    const blocks = [
      ...(texts.length > 0
        ? block(
            0,
            { type: 'text', text: '' },
            texts.map((text) => ({ type: 'text_delta', text })),
          )
        : []),
      ...calls.flatMap(({ id, name, arguments: partial_json }, at) =>
        block(at + (texts.length > 0 ? 1 : 0), { type: 'tool_use', id, name, input: {} }, [
          { type: 'input_json_delta', partial_json },
        ]),
      ),
    ];
    const stop_reason = it.isTooLong ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
    return [
      [
        event('message_start', {
          message: {
            ...{ id: `m-${number}`, type: 'message', role: 'assistant', model, content: [] },
            ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: USAGE.input, output_tokens: 0 } },
          },
        }),
      ],
      ...blocks,
      [
        event('message_delta', {
          delta: { stop_reason, stop_sequence: null },
          usage: { output_tokens: USAGE.output },
        }),
        event('message_stop'),
      ],
    ];
  },
};

/** Azure's form of the responses: a key of its own, and a version in the address. */
const azure: Dialect = {
  ...responses,
  path: '/openai/v1/responses',
  keyOf: (headers) => (headers['api-key'] === undefined ? null : String(headers['api-key'])),
};

export const DIALECTS = { chat, responses, anthropic, azure };
export type DialectName = keyof typeof DIALECTS;
