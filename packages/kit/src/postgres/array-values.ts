// Arrays as parameters for `unnest(${…}::text[])`, in PostgreSQL's binary format: the driver writes
// its own arrays as text and puts every element through two regular expressions.
// The format: array_recv in PostgreSQL's src/backend/utils/adt/arrayfuncs.c. Numbers are big-endian:
// dimensions, whether there are nulls, type of the elements; then for the one dimension its length
// and the index of its first element; then each element as length in bytes (-1: null) and bytes.

/** Type numbers of PostgreSQL's catalogue (pg_type.oid); they never change. */
const TEXT_TYPE = 25;
const BIGINT_TYPE = 20;
const BYTES_TYPE = 17;
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const BIGINT_BYTES = 8;
const NULL_LENGTH = -1;
/** No character of JavaScript's strings (16 bits) takes more bytes in UTF-8. */
const BYTES_OF_CHARACTER_MAX = 3;
const HIGH_HALF = 2 ** 32;

/** A half of a surrogate pair standing alone becomes U+FFFD, as everywhere in UTF-8. */
export function textArray(values: readonly (string | null)[]): Buffer {
  let bytesMax = HEAD_BYTES;
  for (const value of values) {
    bytesMax += LENGTH_BYTES + BYTES_OF_CHARACTER_MAX * (value?.length ?? 0);
  }
  const array = Buffer.allocUnsafe(bytesMax);
  let end = writeHead(array, TEXT_TYPE, values);
  for (const value of values) {
    const start = end + LENGTH_BYTES;
    const length = value === null ? NULL_LENGTH : array.write(value, start);
    array.writeInt32BE(length, end);
    end = start + Math.max(0, length);
  }
  return array.subarray(0, end);
}

/** @throws RangeError for a number that is no whole one, or too large to be one without loss */
export function bigintArray(values: readonly (number | null)[]): Buffer {
  const array = Buffer.allocUnsafe(HEAD_BYTES + values.length * (LENGTH_BYTES + BIGINT_BYTES));
  let end = writeHead(array, BIGINT_TYPE, values);
  for (const value of values) {
    if (value === null) {
      end = array.writeInt32BE(NULL_LENGTH, end);
      continue;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`);
    end = array.writeInt32BE(BIGINT_BYTES, end);
    end = array.writeInt32BE(Math.floor(value / HIGH_HALF), end);
    end = array.writeInt32BE(value | 0, end); // the low half, whatever the sign
  }
  return array.subarray(0, end);
}

export function bytesArray(values: readonly (Uint8Array | null)[]): Buffer {
  const lengths = values.reduce((sum, value) => sum + LENGTH_BYTES + (value?.length ?? 0), 0);
  const array = Buffer.allocUnsafe(HEAD_BYTES + lengths);
  let end = writeHead(array, BYTES_TYPE, values);
  for (const value of values) {
    end = array.writeInt32BE(value === null ? NULL_LENGTH : value.length, end);
    if (value === null) continue;
    array.set(value, end);
    end += value.length;
  }
  return array.subarray(0, end);
}

/** @returns where the first element begins */
function writeHead(array: Buffer, type: number, values: readonly unknown[]): number {
  // An array without elements has no dimension either.
  const dimensions = values.length === 0 ? 0 : 1;
  let end = array.writeInt32BE(dimensions, 0);
  end = array.writeInt32BE(values.includes(null) ? 1 : 0, end);
  end = array.writeInt32BE(type, end);
  if (dimensions === 0) return end;
  end = array.writeInt32BE(values.length, end);
  return array.writeInt32BE(1, end);
}
