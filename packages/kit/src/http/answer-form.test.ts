// Whom an answer is for, by what the request accepts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseAnswerForm, type AnswerForm } from './answer-form.ts';

const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const CASES: readonly (readonly [accept: string | undefined, form: AnswerForm | 'otherwise'])[] = [
  [BROWSER, 'page'],
  ['text/html', 'page'],
  ['TEXT/HTML', 'page'],
  ['text/*', 'page'],
  ['text/html, application/json', 'page'],
  ['application/json, text/html', 'json'],
  ['text/html;q=0.1, */*;q=0', 'page'],
  ['application/json;q=0.4, text/html;q=0.5', 'page'],
  ['application/json', 'json'],
  ['application/problem+json', 'json'],
  ['application/json, text/html;q=0.9', 'json'],
  ['text/html;q=0.4, application/json;q=0.5', 'json'],
  ['text/html;q=0, */*', 'json'],
  ['application/*', 'json'],
  [undefined, 'otherwise'],
  ['', 'otherwise'],
  ['*/*', 'otherwise'],
  ['image/png', 'otherwise'],
  ['this is no list', 'otherwise'],
  [`text/html,${'a/b,'.repeat(1_000)}`, 'otherwise'],
];

for (const [accept, form] of CASES) {
  test(`whoever accepts ${accept?.slice(0, 60) ?? 'nothing in particular'} gets ${form === 'otherwise' ? 'what is usual' : `a ${form}`}`, () => {
    const forms = (['page', 'json'] as const).map((otherwise) =>
      chooseAnswerForm(accept, otherwise),
    );

    assert.deepEqual(forms, form === 'otherwise' ? ['page', 'json'] : [form, form]);
  });
}
