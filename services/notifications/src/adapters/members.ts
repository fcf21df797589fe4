// Members of what a sender sent, read one by one: anything may be there, and what is not of the right type is
// as good as absent.
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns no members where the value is no object */
export function membersAt(value: unknown, ...path: readonly string[]): Members {
  const found = valueAt(value, path);
  return isMembers(found) ? found : {};
}

/** @returns undefined also for an empty text */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** @returns an empty list where the value is none */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

/** Those of some parts that are there, each once. */
export function present(parts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(parts.filter((part) => part !== undefined && part !== ''))] as string[];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isMembers(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}
