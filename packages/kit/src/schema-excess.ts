// Takes off what a value has too much of, before its errors are collected one by one: a list far over
// its bound, or thousands of members that the schema does not know, would cost many seconds and
// gigabytes of error objects (17 million for a body of 10 MB).
import type { ErrorObject } from 'ajv';
import { FIELD_ERRORS_MAX } from './field-errors.ts';

/** The part of a JSON schema that bounds how much there may be. */
interface Bounds {
  readonly properties?: Readonly<Record<string, object>>;
  readonly additionalProperties?: unknown;
  readonly items?: object;
  readonly maxItems?: number;
}

export interface Bounded {
  /** The value itself, or a copy without what is too much: as invalid as the value, but smaller. */
  readonly value: unknown;
  /** One error for every list that was cut. */
  readonly errors: readonly ErrorObject[];
}

/**
 * Cuts lists to their `maxItems`, and drops unknown members once there are more of them than one
 * answer names.
 */
export function takeExcessOff(schema: object, value: unknown): Bounded {
  const errors: ErrorObject[] = [];
  const bounded = boundedValue(schema, value, {
    path: '',
    errors,
    unknown: { left: FIELD_ERRORS_MAX },
  });
  return { value: bounded, errors };
}

interface Walk {
  readonly path: string;
  readonly errors: ErrorObject[];
  /** Unknown members that may still be kept, of the whole value. */
  readonly unknown: { left: number };
}

function boundedValue(bounds: Bounds, value: unknown, walk: Walk): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? boundedList(bounds, value, walk)
    : boundedObject(bounds, value, walk);
}

function boundedList(bounds: Bounds, list: readonly unknown[], walk: Walk): readonly unknown[] {
  const { maxItems = Infinity, items } = bounds;
  let kept = list;
  if (list.length > maxItems) {
    kept = list.slice(0, maxItems);
    walk.errors.push({
      keyword: 'maxItems',
      instancePath: walk.path,
      schemaPath: '',
      params: { limit: maxItems },
    });
  }
  if (items === undefined) return kept;
  let copy: unknown[] | undefined;
  kept.forEach((item, index) => {
    const bounded = boundedValue(items, item, { ...walk, path: `${walk.path}/${index}` });
    if (bounded !== item) (copy ??= [...kept])[index] = bounded;
  });
  return copy ?? kept;
}

function boundedObject(bounds: Bounds, object: object, walk: Walk): object {
  const { properties = {}, additionalProperties } = bounds;
  const isKnown = (name: string): boolean =>
    additionalProperties !== false || Object.hasOwn(properties, name);
  let names = Object.keys(object);
  const unknown = names.filter((name) => !isKnown(name));
  const isCut = unknown.length > walk.unknown.left;
  if (isCut) names = [...names.filter(isKnown), ...unknown.slice(0, walk.unknown.left)];
  walk.unknown.left = Math.max(0, walk.unknown.left - unknown.length);
  const changed = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(properties)) {
    const member: unknown = Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
    if (typeof member !== 'object') continue;
    const bounded = boundedValue(schema, member, { ...walk, path: `${walk.path}/${name}` });
    if (bounded !== member) changed.set(name, bounded);
  }
  if (!isCut && changed.size === 0) return object;
  const valueOf = (name: string): unknown =>
    changed.has(name) ? changed.get(name) : Reflect.get(object, name);
  // Not by assignment: a member may be named __proto__.
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
