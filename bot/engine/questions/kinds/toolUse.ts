import { z } from 'zod';
import type { AnswerBody } from '../../../../models/contracts/interrupts.ts';
import type { ViewField } from '../../../../models/contracts/questionView.ts';
import { APPROVE, REJECT } from './approval.ts';
import { type QuestionKind, unfit } from './kind.ts';
import { makeItem, makeSection, promptUnder } from './sections.ts';
import { readReasonedNo, readYesOrNo } from './words.ts';

export const TOOL_USE = 'tool_use';
const MAX_WORDS = 2000;
const MAX_ARGUMENT = 8000;

/** The content of a question about the use of a tool: the exact arguments, each as text. */
const toolUseContext = z.object({
  toolLabel: z.string(),
  arguments: z.array(z.object({ name: z.string(), label: z.string(), text: z.string() })),
});
export type ToolUseContext = z.output<typeof toolUseContext>;

const contextOf = ({ context }: { context: unknown }): ToolUseContext =>
  toolUseContext.catch({ toolLabel: '', arguments: [] }).parse(context);

/** Arguments are numbered in field names, because platforms carry these. */
const nameOf = (at: number) => `argument${at + 1}`;

/**
 * How the use of a tool was answered. `edits`: arguments with another text, by name. `words`: what should be different,
 * for the agent; then the tool was not used.
 */
const toolUseAnswer = z.object({
  approved: z.boolean(),
  edits: z.record(z.string(), z.string()).default({}),
  words: z.string().nullable().default(null),
});
type ToolUseAnswer = z.output<typeof toolUseAnswer>;
export const readToolUseAnswer = (userResponse: unknown): ToolUseAnswer => toolUseAnswer.parse(userResponse);

const CHANGE = /^(?:change(?: it)?|instead|rather)(?:\s*[:,–-]\s*|\s+)(?<words>\S.*)$/is;

/** What should be different, e.g. "change: only on Mondays"; null for anything else. */
function readChange(text: string): AnswerBody | null {
  const words = CHANGE.exec(text)?.groups?.words;
  return words && words.length <= MAX_WORDS ? { userResponse: { text: words } } : null;
}

const given = z.object({
  choices: z.record(z.string(), z.string().max(MAX_ARGUMENT)).optional(),
  text: z.string().trim().min(1).max(MAX_WORDS).optional(),
});

const WORDS: ViewField = {
  name: 'words',
  label: 'What should be different?',
  required: true,
  maxLength: MAX_WORDS,
  answers: 'userResponse.text',
};
const REASON: ViewField = { name: 'reason', label: 'Reason', required: false, maxLength: 2000, answers: 'reason' };

/**
 * The use of a tool that changes something, with its exact arguments: approved as it is or with changes, refused, or
 * sent back to the agent in words.
 */
export const toolUse: QuestionKind = {
  id: TOOL_USE,
  label: 'Use of a tool',
  check(row, { approved, userResponse }) {
    const read = given.safeParse(userResponse ?? {});
    if (!read.success) throw unfit('userResponse', `Write at most ${MAX_WORDS.toLocaleString('en-GB')} characters.`);
    const { text: words, choices = {} } = read.data;
    if (words !== undefined) return { userResponse: { approved: false, edits: {}, words }, outcome: 'answered' };
    if (approved === undefined) throw unfit('approved', 'Approve, refuse, or say what should be different.');
    const edits = Object.fromEntries(
      contextOf(row).arguments.flatMap(({ name, text }, at) => {
        const changed = choices[nameOf(at)];
        return approved && changed !== undefined && changed !== text ? [[name, changed]] : [];
      }),
    );
    const isChanged = Object.keys(edits).length > 0;
    return {
      userResponse: { approved, edits, words: null },
      outcome: approved ? (isChanged ? 'modified' : 'approved') : 'rejected',
    };
  },
  // Only words that begin like one are an answer: a new question must not turn down what waits.
  readWords: (_row, text) => readYesOrNo(text) ?? readReasonedNo(text) ?? readChange(text),
  wordsThatAnswer: 'Say “approve”, “reject”, or “change:” with what should be different.',
  view(question, mode) {
    const { arguments: all } = contextOf(question);
    const isFull = mode === 'full';
    const fields: ViewField[] = all.map(({ label, text }, at) => ({
      name: nameOf(at),
      label,
      // An emptied field would be read as unchanged.
      required: true,
      maxLength: MAX_ARGUMENT,
      answers: 'userResponse.choices',
      value: text,
    }));
    const change = {
      id: 'change',
      name: 'change',
      label: 'Approve with changes',
      tone: 'plain' as const,
      fields: fields.map(({ name }) => name),
      opens: null,
      answer: { approved: true },
    };
    return {
      prompt: promptUnder(question, mode),
      sections:
        isFull && all.length > 0
          ? [makeSection({ items: all.map(({ label, text }) => makeItem({ title: label, text })) })]
          : [],
      fields: [...(isFull ? fields : []), WORDS, REASON],
      actions: [
        // Nobody approves what is not shown.
        ...(isFull || all.length === 0 ? [{ ...APPROVE, label: 'Approve', tone: 'primary' as const }] : []),
        ...(isFull && fields.length > 0 ? [change] : []),
        {
          id: 'words',
          name: 'words',
          label: 'Say what should be different',
          tone: 'plain',
          fields: ['words'],
          opens: null,
          answer: {},
        },
        { ...REJECT, label: 'Reject', tone: 'danger' },
      ],
    };
  },
  answered(question, mode) {
    const answer = toolUseAnswer.safeParse(question.userResponse);
    return answer.success && answer.data.words !== null && mode === 'full' ? `“${answer.data.words}”` : null;
  },
};
