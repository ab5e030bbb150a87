import { describe, expect, test } from '@jest/globals';
import { draftStorage } from '../../../bot/connectors/confluence/draftStorage.ts';
import { storageToText } from '../../../bot/connectors/confluence/storageText.ts';

const macro = (name: string, inner: string) => `<ac:structured-macro ac:name="${name}">${inner}</ac:structured-macro>`;
const parameter = (name: string, value: string) => `<ac:parameter ac:name="${name}">${value}</ac:parameter>`;

describe('a page in the storage format as text', () => {
  test.each([
    [
      'headings and paragraphs',
      '<h2>Dose</h2><p>It is&nbsp;<strong>checked</strong>.</p><p>Twice.</p>',
      '## Dose\n\nIt is checked.\n\nTwice.',
    ],
    ['entities', '<p>5 &lt; 6 &amp; &ldquo;so&rdquo; &mu;g</p>', '5 < 6 & “so” μg'],
    ['a broken line', '<p>One<br/>Two</p>', 'One\nTwo'],
    ['lists in lists', '<ul><li><p>A</p><ul><li>B</li></ul></li><li>C</li></ul><p>End</p>', '- A\n  - B\n- C\n\nEnd'],
    ['numbered lists', '<ol><li>A</li><li>B</li></ol><ol><li>C</li></ol>', '1. A\n2. B\n\n1. C'],
    [
      'tables',
      '<table><tbody><tr><th><p>Hazard</p></th><th>Score</th></tr><tr><td><p>Over</p><p>dose</p></td><td>12</td></tr></tbody></table>',
      '| Hazard | Score |\n| Over dose | 12 |',
    ],
    [
      'tasks',
      '<ac:task-list><ac:task><ac:task-id>7</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Sign</ac:task-body></ac:task><ac:task><ac:task-id>8</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body>Send</ac:task-body></ac:task></ac:task-list>',
      '- [x] Sign\n- [ ] Send',
    ],
    [
      'code',
      macro(
        'code',
        `${parameter('language', 'js')}<ac:plain-text-body><![CDATA[a < b;\n  c();]]></ac:plain-text-body>`,
      ),
      '```\na < b;\n  c();\n```',
    ],
    [
      'panels',
      macro('info', `${parameter('title', 'Mind')}<ac:rich-text-body><p>Check.</p></ac:rich-text-body>`),
      'Mind\n\nCheck.',
    ],
    [
      'a status',
      `<p>It is ${macro('status', `${parameter('colour', 'Green')}${parameter('title', 'DONE')}`)}</p>`,
      'It is DONE',
    ],
    [
      'what stands elsewhere',
      `<p>${macro('jira', `${parameter('server', 'S')}${parameter('key', 'NRL-1')}`)} ${macro('include', '')}</p>${macro('toc', '')}`,
      '[jira: NRL-1] [include]',
    ],
    [
      'links',
      '<p><ac:link><ri:page ri:content-title="Plan" /></ac:link>, <ac:link><ri:page ri:content-title="X" /><ac:plain-text-link-body><![CDATA[here]]></ac:plain-text-link-body></ac:link>, <a href="https://x.example">there</a></p>',
      'Plan, here, there',
    ],
    [
      'pictures',
      '<ac:image ac:alt="Screen"><ri:attachment ri:filename="s.png" /></ac:image><ac:image><ri:attachment ri:filename="t.png" /></ac:image>',
      '[image: Screen][image: t.png]',
    ],
    [
      'dates and what is for editors',
      '<p><time datetime="2027-01-31" /> <ac:placeholder>Write here</ac:placeholder></p>',
      '2027-01-31',
    ],
    ['nothing', '', ''],
    ['what is not closed', '<p>One <strong>two', 'One two'],
  ])('%s', (_what, storage, text) => expect(storageToText(storage)).toBe(text));

  test('ends, and says so, where elements are too deep in one another', () => {
    const deep = (depth: number) => storageToText(`${'<div>'.repeat(depth)}x`);
    expect(deep(300)).toBe('x');
    expect(deep(301)).toBe('[The rest of this page was not read: it is too long or too deep.]'.padStart(67, '\n'));
    expect(deep(200_000)).toContain('not read');
    expect(storageToText(`${'x'.repeat(2_000_000)}y`)).toMatch(/x\n\n\[The rest/);
  });
});

test('a draft is written with a link to Arc, headings and lists, and its signs stay signs', () => {
  const link = 'https://arc.example/workspace?draft=k1';
  const of = (text: string | null) => draftStorage({ name: 'Plan <1>.md', text, link });
  expect(of('# A & B\n\n- <b>\n- "two"\nText\n- three')).toBe(
    `<p><a href="${link}">Plan &lt;1&gt;.md was made in Arc: open Arc</a></p><h1>A &amp; B</h1>` +
      '<ul><li><p>&lt;b&gt;</p></li><li><p>&quot;two&quot;</p></li></ul><p>Text</p><ul><li><p>three</p></li></ul>',
  );
  expect(of(null)).toContain('The file itself is there');
  expect(storageToText(of('# A & B\n\n- <b>'))).toContain('# A & B\n\n- <b>');
});
