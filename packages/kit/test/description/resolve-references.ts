// A machine-readable description with its components wherever they are referred to, so that a test can walk
// through a schema from the endpoint down.

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

/** No schema may refer to itself. */
export function resolveReferences<Described>(description: Described): Described {
  const { components } = description as {
    readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
  };
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    if ('$ref' in value) {
      const name = REFERENCE.exec(String(value.$ref))?.[1] ?? '';
      return resolve(components?.schemas?.[name]);
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
  };
  return resolve(description) as Described;
}
