// The part of http_ece that the tests use: it comes without types.
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface Parameters {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    /** base64url. */
    readonly authSecret: string;
  }

  const ece: { decrypt(bytes: Buffer, parameters: Parameters): Buffer };
  export default ece;
}
