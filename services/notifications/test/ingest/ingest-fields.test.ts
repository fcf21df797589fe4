// The fields of a post, row by row of docs/interface/notifications.md#ingest, each with its boundary: what
// is counted, what is refused, what is taken as it is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { boot } from '../boot.ts';
import { formatCode, listFields, newPoster } from '../posting.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

/** Random bad bodies; each is one request. */
const BAD_BODIES = 100;

/** What one sees as a character, of more and more code points, UTF-16 units and bytes. */
const CHARACTERS = [
  ['a', 'a', 1],
  ['é in one code point', '\u00e9', 1],
  ['é as e and a combining accent', 'e\u0301', 2],
  ['an emoji', '\u{1F525}', 1],
  ['a family of emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 5],
  ['a flag', '\u{1F1E9}\u{1F1EA}', 2],
] as const;

/** As many of `character` as make up so many code points, the rest filled up with `x`. */
function makeText(character: string, codePoints: number): string {
  const each = [...character].length;
  const times = Math.floor(codePoints / each);
  return character.repeat(times) + 'x'.repeat(codePoints - times * each);
}

for (const [what, character, each] of CHARACTERS) {
  test(`a title of ${what} may have 120 code points and not 121`, async () => {
    const { post, stored } = await newPoster(booted);
    assert.equal([...character].length, each);

    const answers = [
      await post({ title: makeText(character, 120) }),
      await post({ title: makeText(character, 121) }),
    ];

    assert.deepEqual(
      answers.map((answer) => [answer.status, ...listFields(answer)]),
      [[201], [422, '/title too_long 120 121']],
    );
    assert.deepEqual(
      (await stored()).map(({ title }) => title),
      [makeText(character, 120)],
    );
  });

  test(`a body of ${what} may have 4,000 code points and not 4,001`, async () => {
    const { post, stored } = await newPoster(booted);

    const answers = [
      await post({ title: 'A', body: makeText(character, 4_000) }),
      await post({ title: 'A', body: makeText(character, 4_001) }),
    ];

    assert.deepEqual(
      answers.map((answer) => [answer.status, ...listFields(answer)]),
      [[201], [422, '/body too_long 4000 4001']],
    );
    assert.deepEqual(
      (await stored()).map(({ body }) => body),
      [makeText(character, 4_000)],
    );
  });
}

for (const [what, title] of [
  ['spaces', '   '],
  ['tabs and line breaks', '\t\r\n\v\f'],
  ['a no-break space', '\u00a0'],
  ['an ideographic space', '\u3000'],
  ['line and paragraph separators', '\u2028\u2029'],
  ['zero-width characters', '\u200b\u200c\u200d\ufeff\u2060'],
  ['directional marks', '\u200e\u202e\u2066\u2069'],
  ['control characters', '\u0001\u007f\u009f'],
  ['variation selectors', '\ufe0f\u{E0100}'],
  ['tags', '\u{E0041}'],
  ['the braille blank', '\u2800'],
  ['Hangul fillers', '\u115f\u1160\u3164\uffa0'],
  ['a soft hyphen and a grapheme joiner', '\u00ad\u034f'],
  ['the Mongolian vowel separator', '\u180e'],
  ['a musical null notehead', '\u{1D159}'],
  ['120 of them', '\u200b'.repeat(120)],
] as const) {
  test(`a title of nothing but ${what} is blank`, async () => {
    const { post, stored } = await newPoster(booted);

    const answer = await post({ title });

    assert.deepEqual([answer.status, listFields(answer)], [422, ['/title blank']]);
    assert.deepEqual(await stored(), []);
  });
}

for (const [what, text] of [
  ['white space around it', '  A  '],
  ['markup', '<script>alert(1)</script> & "quotes" \\ \'n\' `more`'],
  ['control characters', 'A\u0001\u001b[31m\u007f'],
  ['line breaks', 'A\r\nB\nC\u2028D'],
  ['right-to-left characters', '\u202eA\u05d0\u202c'],
  ['zero-width characters', '\u200bA\u200d'],
  ['a combining accent alone', '\u0301'],
  ['an Arabic number sign, which is drawn', '\u0600'],
  ['an emoji alone', '\u{1F525}'],
  ['a private character', '\ue000'],
  ['what JSON can only escape', '"\\/\b\f\n\r\t A'],
] as const) {
  test(`text with ${what} is taken and given as it is`, async () => {
    const { post, stored } = await newPoster(booted);

    const answer = await post({ title: text, body: text });

    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual([answer.json['title'], answer.json['body']], [text, text]);
    assert.deepEqual(
      (await stored()).map(({ title, body }) => [title, body]),
      [[text, text]],
    );
  });
}

for (const [what, escaped] of [
  ['NUL', '\\u0000'],
  ['a high surrogate alone', '\\ud83d'],
  ['a low surrogate alone', '\\udd25'],
  ['surrogates the wrong way round', '\\udd25\\ud83d'],
] as const) {
  test(`${what} is refused anywhere`, async () => {
    const { postText, stored } = await newPoster(booted);

    const answers = [
      await postText(`{"title":"A${escaped}"}`),
      await postText(`{"title":"${escaped}A","body":"B${escaped}B"}`),
    ];

    assert.deepEqual(answers.map(listFields), [
      ['/title text_refused'],
      ['/body text_refused', '/title text_refused'],
    ]);
    assert.deepEqual(await stored(), []);
  });
}

for (const [type, value] of [
  ['null', null],
  ['number', 5],
  ['boolean', true],
  ['array', ['A']],
  ['object', { text: 'A' }],
] as const) {
  test(`nothing is turned into a text: a ${type} is none`, async () => {
    const { post, stored } = await newPoster(booted);

    const answer = await post({ command: value, title: value, body: value, severity: value });

    assert.equal(answer.status, 422);
    const wrong = listFields(answer).filter((field) => field.includes('wrong_type'));
    assert.deepEqual(
      wrong,
      ['/body', '/command', '/severity', '/title'].map(
        (field) => `${field} wrong_type string ${type}`,
      ),
    );
    assert.deepEqual(await stored(), []);
  });
}

for (const [what, text] of [
  ['a list', '[{"title":"A"}]'],
  ['a text', '"A"'],
  ['a number', '5'],
  ['null', 'null'],
] as const) {
  test(`a body that is ${what} is refused as a whole`, async () => {
    const { postText } = await newPoster(booted);

    const answer = await postText(text);

    assert.equal(formatCode(answer), '422 fields_invalid');
    assert.match(listFields(answer)[0] ?? '', /^ wrong_type object/);
  });
}

test('a field that is not known is named', async () => {
  const { postText, stored } = await newPoster(booted);

  const answer = await postText(
    '{"title":"A","severty":"critical","a/b~c":1,"__proto__":{},"constructor":1}',
  );

  assert.deepEqual(listFields(answer), [
    '/__proto__ unknown',
    '/a~1b~0c unknown',
    '/constructor unknown',
    '/severty unknown',
  ]);
  assert.deepEqual(await stored(), []);
});

test('all errors are reported at once, also of the headers', async () => {
  const { post } = await newPoster(booted);

  const answer = await post(
    { command: 'x', body: 'b'.repeat(5_000), severity: 5, colour: 'red' },
    { 'Idempotency-Key': 'two words' },
  );

  assert.deepEqual(listFields(answer), [
    '/body too_long 4000 5000',
    '/colour unknown',
    '/command not_one_of notify',
    '/severity not_one_of info, warning, critical',
    '/severity wrong_type string number',
    '/title required',
    'header:idempotency-key wrong_form',
  ]);
});

test('thousands of unknown fields are answered briefly', async () => {
  const { postText } = await newPoster(booted);
  const names = Array.from({ length: 6_000 }, (_, index) => `"${index}":0`);

  const answer = await postText(`{${names.join(',')}}`);

  assert.equal(answer.status, 422);
  assert.ok(listFields(answer).length <= 1_000);
});

test('a member that is there twice is refused, whatever its values', async () => {
  const { postText, stored } = await newPoster(booted);

  const answers = [
    await postText('{"title":"A","title":"B"}'),
    await postText('{"title":"A","title":"A"}'),
    await postText('{"title":5,"title":"A"}'),
    await postText('{"severity":"critical","title":"A","se\\u0076erity":"info"}'),
  ];

  assert.deepEqual(answers.map(formatCode), Array(4).fill('400 json_invalid'));
  assert.deepEqual(await stored(), []);
});

test('quotes and backslashes inside of texts are no members', async () => {
  const { post, stored } = await newPoster(booted);
  const texts = ['"', '\\', '\\"', '"\\', '\\\\"', '","title":"B', '\\","title":"B'];

  for (const text of texts) assert.equal((await post({ title: text, body: text })).status, 201);

  assert.deepEqual(
    (await stored()).map(({ title }) => title),
    texts,
  );
});

test('what was sent is never repeated in a refusal', async () => {
  const { post } = await newPoster(booted);
  const secret = 'hunter2-hunter2';

  const answer = await post(
    { command: secret, title: { secret }, body: secret.repeat(300), severity: secret },
    { 'Idempotency-Key': `${secret} ${secret}` },
  );

  assert.equal(answer.status, 422);
  assert.equal(answer.text.includes(secret), false, answer.text);
});

test('whatever else comes is refused with a 4xx, and nothing is stored', async () => {
  const { postText, stored } = await newPoster(booted);
  const anything = fc.oneof(
    fc.json(),
    fc.string({ unit: anyCharacter }),
    fc
      .record(
        {
          command: fc.anything(),
          title: fc.oneof(fc.constant(''), fc.constant('\u200b'), fc.integer(), fc.constant(null)),
          body: fc.anything(),
          severity: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map((body) => JSON.stringify(body)),
    fc.string({ maxLength: 120 }).map((title) => JSON.stringify({ title, severity: 'Critical' })),
  );

  await fc.assert(
    fc.asyncProperty(anything, async (text) => {
      const { status } = await postText(text);

      assert.ok(status >= 400 && status < 500, `${status} for ${text}`);
    }),
    { numRuns: BAD_BODIES },
  );

  assert.deepEqual(await stored(), []);
});
