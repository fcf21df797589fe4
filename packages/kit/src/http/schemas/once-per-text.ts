// One compiled function for each text of a schema. Routes make their schemas when a service is opened: a
// process that opens several services compiles none of them again.

/** @param compile reads of a schema what its JSON holds, and nothing else */
export function oncePerText<Schema extends object, Compiled>(
  compile: (schema: Schema) => Compiled,
): (schema: Schema) => Compiled {
  /** As many as the services of a process have schemas. */
  const compiled = new Map<string, Compiled>();
  /** To write a large schema takes longer than to find it. */
  const texts = new WeakMap<Schema, string>();
  return (schema) => {
    const text = texts.get(schema) ?? JSON.stringify(schema);
    texts.set(schema, text);
    const known = compiled.get(text);
    if (known !== undefined) return known;
    const made = compile(schema);
    compiled.set(text, made);
    return made;
  };
}
