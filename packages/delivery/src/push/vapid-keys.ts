// The pair of keys by which push services know a sender (RFC 8292). Browsers subscribe with the public one: with
// another pair every subscription is worth nothing, so it is made once and kept.
import webPush from 'web-push';

export interface VapidKeys {
  /** base64url of the point, as `pushManager.subscribe` takes it. */
  readonly publicKey: string;
  /** base64url. */
  readonly privateKey: string;
}

export function newVapidKeys(): VapidKeys {
  return webPush.generateVAPIDKeys();
}
