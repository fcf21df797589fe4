/** Ed25519 signatures by WebCrypto, which browsers and Node have. */
import type { VerifySignature } from '@lothub/chain/log';

/** The platform cannot check Ed25519, so nothing can be said about a proof here. */
export class SignaturesUnsupported extends Error {
  override readonly name = 'SignaturesUnsupported';

  constructor(options?: ErrorOptions) {
    super(
      'This browser cannot check Ed25519 signatures, or does not let pages of this address do so. ' +
        'Use a current browser, or Node.',
      options,
    );
  }
}

/** @throws {SignaturesUnsupported} when WebCrypto or its Ed25519 is missing */
export const verifyEd25519: VerifySignature = async ({ publicKey, message, signature }) => {
  const subtle = findSubtle(globalThis);
  if (subtle === undefined) throw new SignaturesUnsupported();
  try {
    const key = await subtle.importKey('raw', copyBytes(publicKey), { name: 'Ed25519' }, false, [
      'verify',
    ]);
    return await subtle.verify({ name: 'Ed25519' }, key, copyBytes(signature), copyBytes(message));
  } catch (error) {
    if (readName(error) === 'NotSupportedError') throw new SignaturesUnsupported({ cause: error });
    // Bytes that are no key of the curve: nothing was signed with it.
    if (readName(error) === 'DataError') return false;
    throw error;
  }
};

/** Browsers leave WebCrypto out on pages that came over plain HTTP. */
function findSubtle(global: { readonly crypto?: Crypto }): Crypto['subtle'] | undefined {
  const { crypto } = global;
  return crypto === undefined || !('subtle' in crypto) ? undefined : crypto.subtle;
}

/** WebCrypto takes bytes of a buffer of their own. */
function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}

function readName(error: unknown): string | undefined {
  return error instanceof Error || error instanceof DOMException ? error.name : undefined;
}
