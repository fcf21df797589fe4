// Single bits of live rows, flipped at random: any table, any row, any column that is compared, also bytes and
// the tables of the log's tree. Each flip is noticed by a round of the verifier.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chooseRounds } from '@lothub/kit/test/rounds';
import type { Booted } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { openTamperingWith, roundOver, type Tampering } from './database.ts';
import {
  RICH_SLICES,
  comparedColumns,
  isRow,
  listKeyColumns,
  literal,
  makeRichHub,
} from './rich-hub.ts';
import type { Column } from './rich-hub.ts';

/** What the verifier compares is decided above the engines: a server plays fewer. */
const FLIPS = chooseRounds({ usual: 30, long: { sqlite: 300, postgres: 100 }[testEngine] });
/** Of one run; printed with what was missed. */
const SEED = 20_261_123;
/** Flips that no storage could hold, such as a key that another row has, are drawn again. */
const DRAWS_MAX = 10 * FLIPS;

type Value = string | number | null | Uint8Array;

let hub: Booted;
let tampering: Tampering;
let columns: ReadonlyMap<string, readonly Column[]>;

before(async () => {
  hub = await makeRichHub();
  tampering = await openTamperingWith(hub.database);
  columns = Map.groupBy(await comparedColumns(tampering), ({ table }) => table);
});
after(async () => {
  await tampering[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

/** Mulberry32: the same numbers for the same seed. @returns 0 to `below` - 1 */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Undefined when what comes out is no text, or no number that this program can read. */
function flipped(value: Value, draw: (below: number) => number): Value | undefined {
  if (value === null) return undefined;
  if (typeof value === 'number') {
    const bits = BigInt.asIntN(53, BigInt(value) ^ (1n << BigInt(draw(52))));
    return Number(bits);
  }
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value);
  if (bytes.length === 0) return undefined;
  const place = draw(bytes.length);
  bytes[place] = bytes[place]! ^ (1 << draw(8));
  if (typeof value !== 'string') return Uint8Array.from(bytes);
  const text = bytes.toString();
  return text.includes('\u0000') || !Buffer.from(text).equals(bytes) ? undefined : text;
}

test('a random bit that is flipped in any live row is noticed', async () => {
  const draw = drawer(SEED);
  const tables = [...columns.keys()];
  const unseen: string[] = [];
  const tried = new Set<string>();
  let done = 0;
  for (let drawn = 0; done < FLIPS && drawn < DRAWS_MAX; drawn += 1) {
    // The tables in turns, each at a random place.
    const table = tables[done % tables.length]!;
    const ofTable = columns.get(table)!;
    const { name } = ofTable[draw(ofTable.length)]!;
    const rows = await tampering.all(
      `select * from ${table} order by ${listKeyColumns(table).join(', ')}`,
    );
    const row = rows[draw(rows.length)]!;
    const value = flipped(row[name] as Value, draw);
    if (value === undefined) continue;
    const where = isRow(
      Object.fromEntries(listKeyColumns(table).map((key) => [key, row[key] as string | number])),
    );
    const codes = await tampering.undone(async () => {
      const set = `update ${table} set ${name} = ${literal(value)} where ${where}`;
      // A text may hold what stands for a value.
      if (set.includes('?') || (await tampering.run(set)) === 'refused') return undefined;
      return (await roundOver(tampering, RICH_SLICES)).codes;
    });
    if (codes === undefined) continue;
    done += 1;
    tried.add(table);
    if (codes.length === 0) unseen.push(`${table}.${name} where ${where}`);
  }

  assert.deepEqual(unseen, [], `seed ${SEED}`);
  assert.equal(done, FLIPS);
  assert.equal(tried.size, Math.min(FLIPS, tables.length));
});
