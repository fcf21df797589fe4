// Receivers of a group of a benchmark, set up as people do it over HTTP: webhooks, devices and mail.
import { createECDH, randomBytes } from 'node:crypto';
import type { NotifyHub } from './child.ts';

const CURVE = 'prime256v1';
const AUTH_BYTES = 16;

export async function addWebhook(hub: NotifyHub, url: string): Promise<void> {
  await call(hub, 'POST', `groups/${hub.groupId}/webhooks`, { name: url.slice(-40), url });
}

/** Of the group's owner, as browsers subscribe; nobody has their private keys. */
export async function addDevices(hub: NotifyHub, to: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const p256dh = createECDH(CURVE).generateKeys().toString('base64url');
    const keys = { p256dh, auth: randomBytes(AUTH_BYTES).toString('base64url') };
    await call(hub, 'POST', 'me/devices', {
      subscription: { endpoint: `${to}/push/${n}`, keys },
      min_severity: 'info',
    });
  }
}

export async function turnMailOn(hub: NotifyHub): Promise<void> {
  await call(hub, 'PUT', 'me/mail', { min_severity: 'info', rhythm: 'at_once' });
}

async function call(
  { services, cookie }: NotifyHub,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<void> {
  const [{ address }] = services;
  const response = await fetch(`${address}/api/v1/${path}`, {
    method,
    headers: { cookie, origin: address, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
}
