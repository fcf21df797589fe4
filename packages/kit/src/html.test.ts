// The escaping template: whatever is put in is text, unless it is markup of our own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { escapeHtml, html, trustedHtml } from './html.ts';

test('the five characters that mean something in HTML are escaped', () => {
  const page = html`<p title="${`"a" & 'b'`}">${'<script>alert(1)</script>'}</p>`;

  assert.equal(
    page.text,
    '<p title="&quot;a&quot; &amp; &#39;b&#39;">&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  );
});

test('results of the template nest without being escaped again', () => {
  const items = ['a<b', 'c'].map((item) => html`<b>${item}</b>`);

  const line = html`<i>${items}</i>`;

  assert.equal(line.text, '<i><b>a&lt;b</b><b>c</b></i>');
});

test('nothing stands for undefined and null, digits for a number', () => {
  assert.equal(html`${undefined}${null}${0}${-1.5}`.text, '0-1.5');
});

test('trusted markup is sent as it is', () => {
  assert.equal(html`${trustedHtml('<br />')}`.text, '<br />');
});

test('no text can open or close a tag, an attribute or an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const escaped = escapeHtml(text);
      assert.doesNotMatch(escaped, /[<>"']/);
      assert.ok(escaped.matchAll(/&(?!(?:amp|lt|gt|quot|#39);)/g).next().done);
    }),
  );
});
