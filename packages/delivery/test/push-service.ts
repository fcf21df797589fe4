// A push service on this machine with its browsers: decrypts what it was sent with http_ece, and checks who signed it
// with jose, as push services and browsers do.
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import ece from 'http_ece';
import { importJWK, jwtVerify, type JWTPayload } from 'jose';
import type { Subscription } from '../src/push/subscription.ts';
import { startReceiver, type Answering, type Received, type Receiver } from './receiver.ts';

/** A browser with a subscription. */
export interface TestBrowser {
  readonly subscription: Subscription;
  /** What came for it, decrypted. */
  messages(): readonly PushMessage[];
}

export interface PushMessage {
  readonly payload: string;
  readonly request: Received;
}

export interface PushService extends AsyncDisposable {
  readonly receiver: Receiver;
  newBrowser(): TestBrowser;
}

/** Answers 201 by default, as RFC 8030 asks for. */
export async function startPushService(answer?: Answering): Promise<PushService> {
  const receiver = await startReceiver({
    answer: answer ?? ((response) => void response.writeHead(201).end()),
  });
  return {
    receiver,
    newBrowser: () => newBrowser(receiver),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

function newBrowser({ base, received }: Receiver): TestBrowser {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const auth = randomBytes(16).toString('base64url');
  const path = `/push/${randomBytes(12).toString('base64url')}`;
  return {
    subscription: {
      endpoint: base + path,
      p256dh: privateKey.getPublicKey('base64url'),
      auth,
    },
    messages: () =>
      received
        .filter((request) => request.path === path)
        .map((request) => {
          assert.equal(request.method, 'POST');
          assert.equal(request.headers['content-encoding'], 'aes128gcm');
          const parameters = { version: 'aes128gcm', privateKey, authSecret: auth } as const;
          return { payload: ece.decrypt(request.bytes, parameters).toString('utf8'), request };
        }),
  };
}

/** Who signed a request (RFC 8292): the claims, and the public key that the signature is right for. */
export async function verifySigner({
  headers,
}: Received): Promise<{ readonly claims: JWTPayload; readonly publicKey: string }> {
  const [, token = '', publicKey = ''] =
    /^vapid t=([^,]+), k=([^,]+)$/.exec(headers.authorization ?? '') ?? [];
  const point = Buffer.from(publicKey, 'base64url');
  assert.equal(point.length, 65);
  const key = await importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    'ES256',
  );
  const { payload: claims } = await jwtVerify(token, key, { algorithms: ['ES256'] });
  return { claims, publicKey };
}
