// Computes hashes of stored values. In a damaged file a value may be of a type that no commitment has, such
// as bytes.
import { ChainError } from '@lothub/chain';

/** @returns undefined when the values have no canonical text, or their salt is not valid */
export function findHash(make: () => string): string | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
