import { describe, expect, test } from '@jest/globals';
import { makeItem, makeSection, promptUnder, sectionsOf } from '../../../bot/engine/questions/kinds/sections.ts';

const sections = (context: object) => sectionsOf({ context } as never, 'full');
const textsOf = (context: object) => sections(context).map(({ heading, text }) => [heading, text]);

test('a section and an item have no content by default', () => {
  expect(makeSection({})).toEqual({ heading: null, text: null, items: [], more: 0, frame: null });
  expect(makeItem({ title: 'A' })).toEqual({ title: 'A', text: null, quote: null, colours: [] });
});

describe('the words of a context', () => {
  test.each<[object, (string | null)[][]]>([
    [{}, []],
    [{ headline: 'A' }, [[null, 'A']]],
    [{ headline: ' ', description: '\n', objective: '\t' }, []],
    [{ headline: 7, description: {}, objective: ['A'] }, []],
    [{ objective: 'A' }, [['Objective', 'A']]],
    [
      { objective: 'A', step: 'layout' },
      [
        ['Objective', 'A'],
        ['Step', 'layout'],
      ],
    ],
    [{ objective: 'A', step: ' ' }, [['Objective', 'A']]],
    [{ objective: 'A', step: 7 }, [['Objective', 'A']]],
    [{ step: 'layout' }, []],
    [
      { description: 'B', headline: 'A' },
      [
        [null, 'A'],
        [null, 'B'],
      ],
    ],
    [{ layout_spec: null }, []],
    [{ layout_spec: {} }, [['Layout', 'proposed']]],
    [{ layout_spec: { layout: ' ' } }, [['Layout', 'proposed']]],
    [{ layout_spec: { layout: 'grid' } }, [['Layout', 'grid']]],
    [{ layout_spec: { layout: 'grid', sections: 'Head' } }, [['Layout', 'grid']]],
    [{ layout_spec: { sections: ['A'] } }, [['Layout', 'proposed: A']]],
    [{ layout_spec: { sections: ['A', 'B', 'C'] } }, [['Layout', 'proposed: A, B, C']]],
    [{ layout_spec: { sections: ['A', 'B', 'C', 'D'] } }, [['Layout', 'proposed: A, B, C +1 more']]],
    [{ layout_spec: { sections: ['A', 'B', 'C', 'D', 'E'] } }, [['Layout', 'proposed: A, B, C +2 more']]],
    [
      { layout_spec: { sections: [null, 7, {}, ' ', { name: ' ', type: 'B' }, { name: 'A', type: 'C' }] } },
      [['Layout', 'proposed: B, A']],
    ],
  ])('%j are %j', (context, texts) => {
    expect(textsOf(context)).toEqual(texts);
  });
});

describe('a list of a context', () => {
  const listed = (components: unknown) =>
    sections({ components }).map(({ heading, items, more }) => [
      heading,
      items.map(({ title, text }) => [title, text].filter((it) => it !== null).join(': ')).join(' | '),
      more,
    ]);

  test.each<[unknown, unknown[]]>([
    [undefined, []],
    ['Title', []],
    [[], []],
    [[null, undefined, 7, {}, '', { name: 7 }], []],
    [['A'], [['Components', 'A', 0]]],
    [['A', 'B', 'C', 'D'], [['Components', 'A | B | C | D', 0]]],
    [['A', 'B', 'C', 'D', 'E'], [['Components', 'A | B | C | D', 1]]],
    [['A', null, 'B', 'C', 'D'], [['Components', 'A | B | C | D', 0]]],
    [[{ name: 'A', type: 'text' }], [['Components', 'A: text', 0]]],
    // Without a name the type is the title, and is not repeated.
    [[{ type: 'text' }], [['Components', 'text', 0]]],
    [[{ name: 'A', type: ' ' }], [['Components', 'A', 0]]],
  ])('of components %j is %j', (components, texts) => {
    expect(listed(components)).toEqual(texts);
  });

  const styled = (style: object) => sections({ style_options: [{ name: 'A', ...style }] })[0]?.items[0];

  test.each<[object, string | null]>([
    [{}, null],
    [{ description: 'Warm.' }, 'Warm.'],
    [{ typography: { primary: 'Inter' } }, 'Inter'],
    [{ description: ' ', typography: { primary: 7 } }, null],
    [{ description: 'Warm.', typography: { primary: 'Inter' } }, 'Warm. Inter'],
  ])('of styles shows %j as %j', (style, text) => {
    expect(styled(style)).toEqual({ title: 'A', text, quote: null, colours: [] });
  });

  test.each<[unknown, string[]]>([
    ['#fff', []],
    [
      ['#fff', '#0000', '#a1b2c3', '#A1B2C3D4', '#eeeeee'],
      ['#fff', '#0000', '#a1b2c3', '#A1B2C3D4'],
    ],
    [['red', '#ff', '#ggg', ' #fff', 'url(#fff)', '#123456789', 7, ['#fff'], '#000'], ['#000']],
  ])('of styles shows at most four of the colours %j: %j', (colors, colours) => {
    expect(styled({ colors })?.colours).toEqual(colours);
  });
});

describe('the page of a context', () => {
  const OURS = '/api/replit/preview/1';
  test.each<[object, string[]]>([
    [{ iframeUrl: OURS }, [OURS]],
    [{ hostedUrl: OURS }, [OURS]],
    [{ iframeUrl: ' ', hostedUrl: OURS }, [OURS]],
    [{ iframeUrl: `${OURS}1`, hostedUrl: OURS }, [`${OURS}1`]],
    [{ iframeUrl: 'https://elsewhere.example/', hostedUrl: OURS }, []],
    [{ iframeUrl: [OURS] }, []],
    [{}, []],
  ])('of %j is framed only if it is ours: %j', (context, frames) => {
    expect(sections(context).map(({ frame }) => frame)).toEqual(frames);
  });
});

test('neither a context nor the prompt is sent under any mode but full', () => {
  const question = { id: 7, prompt: 'Ward 7?', context: { headline: 'A', components: ['B'], iframeUrl: '/api/x' } };
  for (const mode of ['redacted', 'reference-only'] as const) {
    expect(sectionsOf(question, mode)).toEqual([]);
    expect(promptUnder(question, mode)).toBe('An agent has a question for you (question 7).');
  }
  expect(promptUnder(question, 'full')).toBe('Ward 7?');
});
