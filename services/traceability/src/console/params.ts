// Reads parameters of an address in code that does not have the schema of the route.
import type { To } from './send.ts';

/** @returns undefined when the address has no such parameter */
export function param({ request }: Pick<To, 'request'>, name: string): string | undefined {
  const { params } = request;
  if (typeof params !== 'object' || params === null) return undefined;
  const found: unknown = Object.entries(params).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}
