import type { Interrupt } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import type { ViewSection } from '../../../../models/contracts/questionView.ts';

/** Most items listed, and most names in a line. */
const LISTED = 4;
const NAMED = 3;
const COLOUR = /^#[0-9a-f]{3,8}$/i;
/** Only our own pages are framed. */
const FRAMED = /^\/api\/replit\/preview\//;

export const makeSection = (it: Partial<ViewSection>): ViewSection => ({
  heading: null,
  text: null,
  items: [],
  more: 0,
  frame: null,
  ...it,
});

export const makeItem = (it: Partial<ViewSection['items'][number]> & { title: string }) => ({
  text: null,
  quote: null,
  colours: [],
  ...it,
});

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);
const listOf = (value: unknown): Record<string, unknown>[] =>
  (Array.isArray(value) ? value : []).map((one) =>
    typeof one === 'string' ? { name: one } : typeof one === 'object' && one !== null ? one : {},
  );
const nameOf = (one: Record<string, unknown>) => textOf(one.name) ?? textOf(one.type);
const joined = (...texts: (string | null)[]) => texts.filter(Boolean).join(' ') || null;

/** Items of a list, the first few, and how many more there are. */
function listed(
  heading: string,
  value: unknown,
  read: (one: Record<string, unknown>) => Partial<ViewSection['items'][number]>,
) {
  const all = listOf(value).flatMap((one) => {
    const title = nameOf(one);
    return title === null ? [] : [makeItem({ title, ...read(one) })];
  });
  return all.length === 0
    ? []
    : [makeSection({ heading, items: all.slice(0, LISTED), more: Math.max(0, all.length - LISTED) })];
}

/** "two columns: Head, Form, Evidence +1 more". */
function describeLayout({ layout, sections }: { layout?: unknown; sections?: unknown }): string {
  const names = listOf(sections).flatMap((one) => nameOf(one) ?? []);
  const first = names.slice(0, NAMED).join(', ');
  const more = names.length > NAMED ? ` +${names.length - NAMED} more` : '';
  return `${textOf(layout) ?? 'proposed'}${first ? `: ${first}` : ''}${more}`;
}

/**
 * The sections of a question's context: its texts, what is proposed, and a page to look at. Empty unless the mode is
 * full.
 */
export function sectionsOf({ context }: Pick<Interrupt, 'context'>, mode: ConsentMode): ViewSection[] {
  if (mode !== 'full') return [];
  const layout = (context.layout_spec ?? null) as { layout?: unknown; sections?: unknown } | null;
  const address = textOf(context.iframeUrl) ?? textOf(context.hostedUrl);
  const words = [
    makeSection({ text: textOf(context.headline) }),
    makeSection({ heading: 'Objective', text: textOf(context.objective) }),
    makeSection({ heading: 'Step', text: textOf(context.objective) && textOf(context.step) }),
    makeSection({ text: textOf(context.description) }),
    makeSection({ heading: 'Layout', text: layout && describeLayout(layout) }),
  ].filter(({ text }) => text !== null);
  return [
    ...words,
    ...listed('Components', context.components, ({ name, type }) => ({ text: name ? textOf(type) : null })),
    ...listed('Styles', context.style_options, ({ description, colors, typography }) => ({
      text: joined(textOf(description), textOf((typography as { primary?: unknown } | undefined)?.primary)),
      colours: (Array.isArray(colors) ? colors : [])
        .filter((colour): colour is string => typeof colour === 'string' && COLOUR.test(colour))
        .slice(0, LISTED),
    })),
    ...(address && FRAMED.test(address) ? [makeSection({ frame: address })] : []),
  ];
}

/** The prompt under a consent mode. */
export const promptUnder = (
  { id, prompt, askedBy }: Pick<Interrupt, 'id' | 'prompt' | 'askedBy'>,
  mode: ConsentMode,
) => (mode === 'full' ? prompt : `${askedBy ? 'A program' : 'An agent'} has a question for you (question ${id}).`);

/** Says which answer waits for a signature; names of people, never content. */
export const proposedSections = ({ proposed }: Pick<Interrupt, 'proposed'>): ViewSection[] =>
  proposed === undefined ? [] : [makeSection({ text: proposed })];

/** Most comments on a card. */
const COMMENTS = 3;

/** Who is to answer a question, until when it is put off, and its last comments; their words only in the mode full. */
export function handlingSections(
  { assignee, snooze, comments = [] }: Pick<Interrupt, 'assignee' | 'snooze' | 'comments'>,
  mode: ConsentMode,
): ViewSection[] {
  const line = [assignee ? `Assigned to ${assignee.name}.` : null, snooze ? `${snooze.text}.` : null];
  const text = joined(...line);
  const many = comments.length === 1 ? '1 comment, in Arc' : `${comments.length} comments, in Arc`;
  const said =
    mode === 'full'
      ? makeSection({
          heading: 'Comments',
          items: comments.slice(-COMMENTS).map((one) => makeItem({ title: one.name, text: one.text })),
          more: Math.max(0, comments.length - COMMENTS),
        })
      : makeSection({ text: many });
  return [...(text ? [makeSection({ text })] : []), ...(comments.length > 0 ? [said] : [])];
}

/** Says that a question comes from outside Arc: its words are not an agent's. The name of the token is the company's own. */
export const askerSections = ({ askedBy }: Pick<Interrupt, 'askedBy'>): ViewSection[] =>
  askedBy === undefined
    ? []
    : [makeSection({ text: `Asked by “${askedBy}”, a program of your company. Its words are not Arc’s.` })];
