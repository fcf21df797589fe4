// Rendering documents: markup in them is text, links are led or dropped, headings are named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const KEEP = (link: string): string => link;

test('markup in a document is shown as text', () => {
  const { content } = renderMarkdown('# Title\n\n<script>alert(1)</script> <b>x</b>', KEEP);

  assert.doesNotMatch(content.text, /<script|<b>/);
  assert.match(content.text, /&lt;script&gt;/);
});

test('the title is apart, and the sections are those right below it', () => {
  const rendered = renderMarkdown('# The `title`\n\n## One, two\n\n### Deeper\n\n## Three', KEEP);

  assert.equal(rendered.title, 'The title');
  assert.deepEqual(
    rendered.sections.map(({ title }) => title),
    ['One, two', 'Three'],
  );
  assert.doesNotMatch(rendered.content.text, /<h1/);
  assert.match(rendered.content.text, /<h2 id="one-two">One, two<\/h2>/);
});

test('two headings of one text have two anchors', () => {
  const { sections } = renderMarkdown('# T\n\n## Same\n\n## Same', KEEP);

  assert.deepEqual(
    sections.map(({ anchor }) => anchor),
    ['same', 'same-1'],
  );
});

test('a link whose target is not published leaves its text, the next one is a link again', () => {
  const text = '# T\n\n[gone](a.md) and [kept](b.md)';

  const { content } = renderMarkdown(text, (link) => (link === 'a.md' ? undefined : '/b'));

  assert.match(content.text, /<span>gone<\/span> and <a href="\/b">kept<\/a>/);
});

test('a link that would run a script is no link', () => {
  const { content } = renderMarkdown('# T\n\n[x](javascript:alert(1))', KEEP);

  assert.doesNotMatch(content.text, /href/);
});

test('a document without a title is refused', () => {
  assert.throws(() => renderMarkdown('## Section', KEEP), /does not begin with its title/);
});
