// The frontier of the tree as the head row stores it.
import { LogError, frontierFromBytes, type Frontier } from '@lothub/chain/log';

/**
 * @param height of the last block
 * @returns undefined while a tree is being built, and for bytes that are no frontier of that size:
 * in both cases the frontier is computed again from the blocks
 */
export function storedFrontier(height: number, stored: unknown): Frontier | undefined {
  if (!(stored instanceof Uint8Array)) return undefined;
  try {
    return frontierFromBytes(height + 1, stored);
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}
