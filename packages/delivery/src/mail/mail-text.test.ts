// That both parts of a mail say the same, and that nothing in them becomes markup, another line's direction or a
// command for a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeMail, type MailWords } from './mail-text.ts';

const WORDS: MailWords = {
  language: 'en',
  heading: 'Two notifications',
  blocks: [
    {
      kind: 'entry',
      title: 'Disk full',
      note: 'Critical · Operations',
      text: 'First line\nSecond line',
      url: 'https://trace.example.com/inbox/g/1',
      tone: 'critical',
    },
    { kind: 'text', text: 'And 3 more.' },
    { kind: 'link', label: 'Open the inbox', url: 'https://trace.example.com/inbox' },
  ],
  footer: [
    'You asked for these mails.',
    { label: 'Stop them', url: 'https://trace.example.com/stop' },
  ],
};

test('plain text is read from the top, with each address on a line of its own', () => {
  const { text } = writeMail(WORDS);

  assert.equal(
    text,
    `Two notifications

* Disk full
Critical · Operations
First line
Second line
https://trace.example.com/inbox/g/1

And 3 more.

Open the inbox:
https://trace.example.com/inbox

-- 
You asked for these mails.
Stop them: https://trace.example.com/stop
`,
  );
});

test('HTML loads nothing, runs nothing and suits light and dark', () => {
  const { html } = writeMail(WORDS);

  assert.doesNotMatch(html, /<(script|img|link|iframe|object|form)\b|url\(|@import|\bsrc=/i);
  assert.match(html, /prefers-color-scheme: dark/);
  assert.match(html, /First line<br \/>Second line/);
  assert.deepEqual(
    [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    [
      'https://trace.example.com/inbox/g/1',
      'https://trace.example.com/inbox',
      'https://trace.example.com/stop',
    ],
  );
});

test('texts from outside stay texts', () => {
  const hostile = '</title><script>alert(1)</script>"\'&';
  const { html } = writeMail({
    ...WORDS,
    heading: hostile,
    blocks: [
      {
        kind: 'entry',
        title: hostile,
        note: hostile,
        text: hostile,
        url: 'https://a.example/',
        tone: 'plain',
      },
      { kind: 'text', text: hostile },
      { kind: 'link', label: hostile, url: `https://a.example/?q="><b>` },
    ],
    footer: [hostile],
  });

  assert.doesNotMatch(html, /<script|<b>|<\/title><s/);
  assert.equal(html.match(/<\/title>/g)?.length, 1);
  assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'));
});

test('a title is one line, and its direction is its own', () => {
  const { text, html } = writeMail({
    ...WORDS,
    blocks: [
      {
        kind: 'entry',
        title: '\u202Eשלום\r\nCritical\u0007\u001b[31m',
        note: 'Info',
        text: '\u001b]0;x\u0007a\r\nb\u0000',
        url: 'https://a.example/',
        tone: 'plain',
      },
    ],
  });

  assert.match(text, /^\* \u202Eשלום Critical\[31m\nInfo\n\]0;xa\nb\nhttps/m);
  assert.doesNotMatch(text + html, /[\u0000-\u0008\u000B-\u001F]/);
  assert.match(html, /<h2 dir="auto">/);
});
