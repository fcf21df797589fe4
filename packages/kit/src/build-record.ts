// An object with one value for each name of a list.

/** @returns the values in the order of the names */
export function buildRecord<Name extends string, Value>(
  names: readonly Name[],
  getValue: (name: Name) => Value,
): Record<Name, Value> {
  // A loop: of a list of pairs the same object takes several times as long.
  const record: Partial<Record<Name, Value>> = {};
  for (const name of names) record[name] = getValue(name);
  return record as Record<Name, Value>;
}
