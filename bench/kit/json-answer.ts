// Reads JSON answers field by field; what is not there or of another kind ends the benchmark.
import type { Answer } from './connection.ts';

/** @throws Error when the answer is a refusal */
export function readJson(answer: Answer): unknown {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.bytes}`);
  return JSON.parse(Buffer.from(answer.bytes, 'latin1').toString('utf8'));
}

export function valueAt(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, name)?.value;
  }, json);
}

export function textAt(json: unknown, ...path: readonly string[]): string {
  const value = valueAt(json, ...path);
  if (typeof value !== 'string') throw new Error(`${path.join('.')} is no text`);
  return value;
}

export function listAt(json: unknown, name: string): readonly unknown[] {
  const value = valueAt(json, name);
  if (!Array.isArray(value)) throw new Error(`${name} is no list`);
  return value;
}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return;
  throw new Error(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

export function expectSame(
  what: string,
  actual: ReadonlySet<string>,
  expected: ReadonlySet<string>,
): void {
  const wrong = [...actual.symmetricDifference(expected)];
  if (wrong.length === 0) return;
  throw new Error(`${what}: ${wrong.length} differ, such as ${wrong[0]}`);
}
