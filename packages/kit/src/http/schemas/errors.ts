// Collects what a JSON schema refuses in a value, and stops at as many errors as one answer names. AJV
// alone either stops at the first error or collects all: of a body of 10 MB it made 17 million.
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { pointerPart } from '../field-errors.ts';

/** The part of a JSON schema that says where there can be many values. */
interface Shape {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly maxItems?: number;
}

/**
 * The errors of a value, at most so many. It has at least one when the schema refuses the value.
 * @param path JSON pointer of the value, which each error's own begins with
 */
export type CollectErrors = (value: unknown, most: number, path?: string) => readonly ErrorObject[];

/** @param ajv collects all errors of the values that it is given: small ones */
export function compileErrorCollector(ajv: Ajv, shape: Shape): CollectErrors {
  return isList(shape) ? collectorOfList(ajv, shape) : collectorOfObject(ajv, shape);
}

/** Lists, and objects that have lists somewhere in them, are looked at part by part. */
function isLarge(shape: Shape): boolean {
  return isList(shape) || Object.values(shape.properties ?? {}).some(isLarge);
}

function isList({ items }: Shape): boolean {
  return items !== undefined;
}

function collectorOfList(ajv: Ajv, { items, ...list }: Shape): CollectErrors {
  const ofList = ajv.compile(list);
  const ofItem = compileErrorCollector(ajv, items ?? {});
  const { maxItems = Infinity } = list;
  return (value, most, path = '') => {
    const errors = listErrors(ofList, value, path).slice(0, most);
    if (!Array.isArray(value)) return errors;
    for (const [index, item] of value.slice(0, maxItems).entries()) {
      if (errors.length >= most) break;
      errors.push(...ofItem(item, most - errors.length, `${path}/${index}`));
    }
    return errors;
  };
}

function collectorOfObject(ajv: Ajv, shape: Shape): CollectErrors {
  const { properties = {}, additionalProperties } = shape;
  const large = Object.entries(properties).filter(([, member]) => isLarge(member));
  // Whatever a large member is like, it is known by its name.
  const known = large.map(([name]): readonly [string, Shape] => [name, {}]);
  const ofObject = ajv.compile({
    ...shape,
    properties: { ...properties, ...Object.fromEntries(known) },
  });
  const ofMembers = large.map(
    ([name, member]) => [name, compileErrorCollector(ajv, member)] as const,
  );
  return (value, most, path = '') => {
    const bounded =
      additionalProperties === false ? withFewUnknown(value, properties, most) : value;
    const errors = listErrors(ofObject, bounded, path).slice(0, most);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return errors;
    for (const [name, collect] of ofMembers) {
      if (errors.length >= most) break;
      if (!Object.hasOwn(value, name)) continue;
      const member: unknown = Reflect.get(value, name);
      errors.push(...collect(member, most - errors.length, `${path}/${pointerPart(name)}`));
    }
    return errors;
  };
}

function listErrors(validate: ValidateFunction, value: unknown, path: string): ErrorObject[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => ({
    ...error,
    instancePath: `${path}${error.instancePath}`,
  }));
}

/** The object itself, or a copy with as many unknown members as there may be errors. */
function withFewUnknown(
  value: unknown,
  known: Readonly<Record<string, unknown>>,
  most: number,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isKnown = (name: string): boolean => Object.hasOwn(known, name);
  const names = Object.keys(value);
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length <= most) return value;
  const kept = [...names.filter(isKnown), ...unknown.slice(0, most)];
  // Not by assignment: a member may be named __proto__.
  return Object.fromEntries(kept.map((name) => [name, Reflect.get(value, name)]));
}
