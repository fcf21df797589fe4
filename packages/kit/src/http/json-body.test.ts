// Reading a JSON body strictly: what is refused, what is marked as inexact, what is read unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { READ_AT_ONCE_BYTES, parseJsonBody, readJsonBody } from './json-body.ts';
import { JsonBodyError, MEMBERS_MAX, NESTING_MAX } from './json-body-error.ts';

const parse = (text: string): unknown => parseJsonBody(Buffer.from(text, 'utf8'));

test('any JSON value whose numbers have at most 15 digits is read as JSON.parse reads it', () => {
  const values = fc
    .jsonValue({ maxDepth: 4 })
    .map((value): unknown =>
      JSON.parse(
        JSON.stringify(value, (_key, member: unknown) =>
          typeof member === 'number' ? Number(member.toPrecision(15)) : member,
        ),
      ),
    );
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
  );
});

for (const literal of ['0', '-0', '15', '0.1', '1e3', '1E-3', '123456789012345', '1.5e300']) {
  test(`${literal} is kept`, () => {
    assert.deepEqual(parse(`[${literal}]`), [Number(literal)]);
  });
}

for (const literal of [
  '100000000000000000000',
  '0.00000000000000000000012',
  '5.000000000000000000',
]) {
  test(`${literal} has few significant digits and is kept`, () => {
    assert.deepEqual(parse(`{"a":${literal}}`), { a: Number(literal) });
  });
}

for (const literal of [
  ...['1234567890123456', '0.30000000000000000001', '9007199254740993', '-0.1234567890123456'],
  ...['1e400', '-1e400', '1e-400', '-1E-400', `0.${'0'.repeat(400)}1`, `1${'0'.repeat(400)}`],
]) {
  test(`${literal.slice(0, 30)} becomes Infinity, which no schema accepts`, () => {
    assert.deepEqual(parse(`{"a":[${literal}]}`), { a: [Infinity] });
  });
}

test('zero is zero, however it is written', () => {
  assert.deepEqual(parse('[0e400, 0.0000000000000000000000, -0e-999]'), [0, 0, -0]);
});

test('long digits in a text are text', () => {
  const body = { code: '1234567890123456789', note: '1e400' };

  assert.deepEqual(parse(JSON.stringify(body)), body);
});

for (const [name, bytes] of [
  ['bytes that are not UTF-8', [0x22, 0xff, 0x22]],
  ['an overlong sequence', [0x22, 0xc0, 0x80, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a sequence that is cut off', [0x22, 0xf0, 0x9f, 0x8d]],
] as const) {
  test(`${name} are refused`, () => {
    assert.throws(() => parseJsonBody(Buffer.from(bytes)), JsonBodyError);
  });
}

for (const text of ['', ' ', '{', '[1,]', '{a:1}', "'a'", 'NaN', '01', '1.', '\ufeff{}', '1 2']) {
  test(`${JSON.stringify(text)} is no JSON`, () => {
    assert.throws(() => parse(text), { code: 'json_invalid', message: 'Body is not valid JSON' });
  });
}

test('a body may nest 64 deep and not deeper', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

  assert.doesNotThrow(() => parse(nested(NESTING_MAX)));
  assert.throws(() => parse(nested(NESTING_MAX + 1)), { reason: 'too_deep', path: [] });
});

test('brackets in texts do not nest', () => {
  const body = ['[{'.repeat(40_000), '\\"[[[[', '"', '{'.repeat(100)];

  assert.deepEqual(parse(JSON.stringify(body)), body);
});

test('many containers beside each other do not nest', () => {
  const body = Array.from({ length: 20_000 }, () => [{}]);

  assert.deepEqual(parse(JSON.stringify(body)), body);
});

test('an object may have 1,000 members and no more', () => {
  const members = (count: number): string =>
    `{${Array.from({ length: count }, (_, n) => `"k${n}":{"k":0}`).join(',')}}`;

  assert.doesNotThrow(() => parse(`[${members(MEMBERS_MAX)},${members(MEMBERS_MAX)}]`));
  assert.throws(() => parse(`{"a":[0,${members(MEMBERS_MAX + 1)}]}`), {
    reason: 'too_many_members',
    path: ['a', 1],
  });
});

for (const [text, path] of [
  ['{"a":1,"a":2}', ['a']],
  ['{"a":1,"b":2,"\\u0061":3}', ['a']],
  ['{"\\u00e9":1,"é":2}', ['é']],
  ['{"":1,"":2}', ['']],
  ['[0,{"lines":[{"quantity":1,"unit":"kg","quantity":999}]}]', [1, 'lines', 0, 'quantity']],
  ['{"a":{"b":1},"c":[{"a":1}],"a":{}}', ['a']],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
] as const) {
  test(`${text} has a member twice`, () => {
    assert.throws(() => parse(text), { code: 'json_invalid', reason: 'repeated_member', path });
  });
}

test('a member that is repeated among many is found, wherever it is', () => {
  const names = Array.from({ length: 40 }, (_, n) => `k${n}`);
  for (const repeated of names) {
    const text = `{${[...names, repeated].map((name) => `"${name}":0`).join(',')}}`;

    assert.throws(() => parse(text), { reason: 'repeated_member', path: [repeated] });
  }
});

test('names are the same only character by character', () => {
  const text = '{"a":1,"A":2,"a ":3,"\\ud800":4,"\\ud801":5,"\\\\u0061":6,"é":7,"e\u0301":8}';

  assert.equal(Object.keys(Object(parse(text)) as object).length, 8);
});

test('of a long name that is repeated no more than 200 characters are shown', () => {
  const name = 'n'.repeat(5_000);

  assert.throws(() => parse(`{"${name}":1,"${name}":2}`), { path: [name.slice(0, 200)] });
});

/** What a body is read as: its value, or why it is refused. */
async function outcome(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() };
  } catch (error) {
    assert.ok(error instanceof JsonBodyError);
    return { reason: error.reason, path: error.path };
  }
}

test('a large body is read in slices as it is read at once, whatever it holds', async () => {
  const odd = fc.constantFrom('{"a":1,"a":2}', '[1,]', '01', '"\\x"', '1e400', ' ', '[', '}', ',');
  const values = fc.array(fc.oneof({ weight: 30, arbitrary: fc.json() }, odd), { minLength: 1 });
  const fillers = fc.constantFrom(
    `"${'x'.repeat(70_000)}"`,
    `[${'{"a":[1,2.5,"é\\n"]},'.repeat(8_000)}{}]`,
    `{"__proto__":{"deep":[[${'7, '.repeat(30_000)}7]]},"b":${' '.repeat(70_000)}null}`,
  );
  await fc.assert(
    fc.asyncProperty(values, fillers, fc.boolean(), async (parts, filler, isList) => {
      const items = parts.flatMap((part) => [filler, part]);
      const inside = isList ? items : items.map((item, n) => `"k${n}":${item}`);
      const text = isList ? `[${inside.join(' , ')}]` : `{${inside.join('\n,')}}`;
      const bytes = (): Buffer => Buffer.from(text, 'utf8');

      const atOnce = await outcome(() => parseJsonBody(bytes()));
      const inSlices = await outcome(() => readJsonBody(bytes()));

      assert.deepEqual(inSlices, atOnce);
    }),
    { numRuns: 60 },
  );
});

test('of two faults in a large body the same one is named as of a small one', async () => {
  const text = `[01,"${'x'.repeat(70_000)}",${'[2],'.repeat(20_000)}{"a":1,"a":2}]`;

  const found = await outcome(() => readJsonBody(Buffer.from(text)));

  assert.deepEqual(found, { reason: 'repeated_member', path: [20_002, 'a'] });
});

test('a text that is cut off anywhere is no JSON, in slices either', async () => {
  const text = `{"a":[${'{"b":"c"},'.repeat(20_000)}1],"d":"${'x'.repeat(70_000)}"}`;
  for (let length = 1; length < text.length; length += 9_973) {
    const bytes = Buffer.from(text.slice(0, length));

    assert.deepEqual(await outcome(() => readJsonBody(bytes)), { reason: 'not_json', path: [] });
  }
});

test('reading a large body lets others have their turn', async () => {
  const body = Array.from({ length: READ_AT_ONCE_BYTES / 4 }, (_, n) => ({ n }));
  const bytes = Buffer.from(JSON.stringify(body));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);

  const value = await readJsonBody(bytes);

  clearImmediate(waiting);
  assert.deepEqual(value, body);
  assert.ok(turns >= Math.floor(bytes.length / 65_536), `${turns} turns, ${bytes.length} bytes`);
});
