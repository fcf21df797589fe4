// The row splitter reads what csv-parse reads, however the text is cut into pieces, and refuses
// what csv-parse refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { LineEnd } from '../../src/csv-import/form/text-form.ts';
import { RowSplitter } from '../../src/csv-import/row-splitter.ts';
import { UnreadableFile } from '../../src/csv-import/row-error.ts';

const DELIMITERS = [',', ';', '\t'] as const;

/** The rows of a text given in pieces; nothing when the splitter refuses it. */
function split(
  text: string,
  delimiter: string,
  cuts: readonly number[] = [],
  lineEnd: LineEnd = '\n',
): unknown {
  const rows: (readonly string[])[] = [];
  const splitter = new RowSplitter({
    delimiter,
    lineEnd,
    onRow: (cells) => rows.push(cells),
    columnAt: () => undefined,
  });
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length];
  try {
    places
      .toSorted((a, b) => a - b)
      .forEach((place, index, all) => {
        splitter.write(text.slice(all[index - 1] ?? 0, place));
      });
    splitter.end();
    return rows;
  } catch (error) {
    assert.ok(error instanceof UnreadableFile);
    return undefined;
  }
}

/** The same by csv-parse. */
function parsed(
  text: string,
  delimiter: string,
  record_delimiter: string[] = ['\r\n', '\n'],
): unknown {
  try {
    return parse(text, { delimiter, record_delimiter, relax_column_count: true });
  } catch (error) {
    assert.ok(error instanceof CsvError);
    return undefined;
  }
}

/** Text of the characters that mean something, and two that do not. */
const csvLike = fc
  .array(fc.constantFrom('a', 'é', '"', '""', ',', ';', '\t', '\n', '\r\n', '\r'), {
    maxLength: 40,
  })
  .map((parts) => `${parts.join('')}x\n`);

test('any text is split as csv-parse splits it, or refused as it refuses it', () => {
  fc.assert(
    fc.property(csvLike, fc.constantFrom(...DELIMITERS), (text, delimiter) => {
      assert.deepEqual(split(text, delimiter), parsed(text, delimiter));
    }),
    { numRuns: 20_000 },
  );
});

test('a text whose lines end with a return alone is split as csv-parse splits it', () => {
  fc.assert(
    fc.property(csvLike, fc.array(fc.nat(), { maxLength: 4 }), (text, cuts) => {
      assert.deepEqual(split(text, ',', cuts, '\r'), parsed(text, ',', ['\r']));
    }),
    { numRuns: 10_000 },
  );
});

test('where a text is cut into pieces makes no difference', () => {
  fc.assert(
    fc.property(csvLike, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
      assert.deepEqual(split(text, ',', cuts), split(text, ','));
    }),
    { numRuns: 5_000 },
  );
});

test('rows that were written with quotes are read back as they were', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', ';', '\n', '\r', '😀') });
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 });
  fc.assert(
    fc.property(table, fc.array(fc.nat(), { maxLength: 4 }), (rows, cuts) => {
      const text = rows
        .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(';') + '\r\n')
        .join('');

      assert.deepEqual(split(text, ';', cuts), rows);
    }),
    { numRuns: 2_000 },
  );
});

test('the last row needs no line end', () => {
  const texts = ['a,b', 'a,"b"', 'a,b\r', 'a,"b"\r', 'a,'];

  const rows = texts.map((text) => split(text, ','));

  assert.deepEqual(rows, [[['a', 'b']], [['a', 'b']], [['a', 'b']], [['a', 'b']], [['a', '']]]);
});
