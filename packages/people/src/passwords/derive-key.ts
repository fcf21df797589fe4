// Derives a key from a password (argon2id) with a library that takes a third of the time that Node takes, or with
// Node where the library cannot be used. Both return the same bytes.
import type { hashRawSync } from '@node-rs/argon2';
import { argon2Sync } from 'node:crypto';
import type { DerivedKey, Derivation } from './deriving.ts';

export type DeriveKey = (derivation: Derivation) => DerivedKey;

interface Library {
  readonly hashRawSync: typeof hashRawSync;
}

/** `Algorithm.Argon2id` of the library, which is a constant of its types alone. */
const ARGON2ID = 2;

/** What both derive before the library is used. It takes less than a millisecond. */
const TRIAL: Derivation = {
  password: 'trial',
  cost: { memoryKib: 64, passes: 2, lanes: 1 },
  salt: new Uint8Array(16),
  keyBytes: 32,
};

/**
 * Emits a warning when the library cannot be used: it has no binary for this platform, or returns other bytes than
 * Node on this processor, whose vector instructions it chooses by itself. With other bytes nobody could log in.
 */
export async function chooseDerivation(
  loadLibrary: () => Promise<Library> = () => import('@node-rs/argon2'),
): Promise<DeriveKey> {
  try {
    const derive = deriveBy(await loadLibrary());
    if (Buffer.compare(derive(TRIAL), deriveByNode(TRIAL)) === 0) return derive;
    warn('@node-rs/argon2 returns wrong keys on this processor');
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
  }
  return deriveByNode;
}

function deriveBy(library: Library): DeriveKey {
  return ({ password, cost, salt, keyBytes }) =>
    library.hashRawSync(Buffer.from(password, 'utf8'), {
      algorithm: ARGON2ID,
      salt,
      parallelism: cost.lanes,
      outputLen: keyBytes,
      memoryCost: cost.memoryKib,
      timeCost: cost.passes,
    });
}

function deriveByNode({ password, cost, salt, keyBytes }: Derivation): DerivedKey {
  return argon2Sync('argon2id', {
    message: Buffer.from(password, 'utf8'),
    nonce: salt,
    parallelism: cost.lanes,
    tagLength: keyBytes,
    memory: cost.memoryKib,
    passes: cost.passes,
  });
}

function warn(reason: string): void {
  process.emitWarning(`Checking a password takes three times as long here: ${reason}`);
}
