// The pair of keys by which push services know a sender (RFC 8292). Browsers subscribe with the public one: with
// another pair every subscription is worth nothing, so it is made once and kept.

export interface VapidKeys {
  /** base64url of the point, as `pushManager.subscribe` takes it. */
  readonly publicKey: string;
  /** base64url. */
  readonly privateKey: string;
}

/** Loads the library only when keys are made, which is once. */
export async function newVapidKeys(): Promise<VapidKeys> {
  const { default: webPush } = await import('web-push');
  return webPush.generateVAPIDKeys();
}
