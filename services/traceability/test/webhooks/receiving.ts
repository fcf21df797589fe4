// A hub whose webhooks may go to this machine, receivers that its managers set up on the pages, and what those were
// sent.
import assert from 'node:assert/strict';
import { startReceiver } from '@lothub/delivery/test/receiver';
import type { Answering, Received, Receiver } from '@lothub/delivery/test/receiver';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../src/ledger/webhooks/event-types.ts';
import { boot, type BootOptions, type Booted } from '../boot.ts';
import { newVisitor, type Page, type TestVisitor } from '../console/visitors.ts';

export { until } from '@lothub/kit/test/until';

const LOOKS_EVERY_MS = 20;

export const answerWith =
  (...statuses: readonly number[]): Answering =>
  (response, _request, index) =>
    void response.writeHead(statuses[Math.min(index, statuses.length - 1)] ?? 500).end();

export function bootSending(options: BootOptions = {}): Promise<Booted> {
  return boot({
    webhookLooksEveryMs: LOOKS_EVERY_MS,
    ...options,
    env: { WEBHOOK_ALLOW: '127.0.0.1', ...options.env },
  });
}

export interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export function parseMessage({ body }: Received): Message {
  return JSON.parse(body) as Message;
}

/** What a form sends of its boxes. */
export function fillBoxes(types: readonly WebhookEvent[]): Readonly<Record<string, string>> {
  return Object.fromEntries(types.map((type) => [type, 'yes']));
}

export interface BrandReceiver extends AsyncDisposable {
  readonly receiver: Receiver;
  readonly manager: TestVisitor;
  readonly secret: string;
  readonly webhookId: string;
  /** Address of its page. */
  readonly path: string;
  readonly messages: () => readonly Message[];
}

export async function newReceiver(options: {
  readonly booted: Booted;
  readonly brand: string;
  readonly types?: readonly WebhookEvent[];
  readonly answer?: Answering;
}): Promise<BrandReceiver> {
  const { booted, brand, types = WEBHOOK_EVENTS, answer = answerWith(204) } = options;
  const receiver = await startReceiver({ answer });
  const manager = await newVisitor(booted, { brands: { [brand]: 'manager' } });
  const list = `/console/b/${brand}/webhooks`;
  const url = `${receiver.base}/hook`;
  const page = await manager.post(list, { name: 'ERP', url, ...fillBoxes(types) });
  assert.equal(page.status, 200, page.text);
  const webhookId = webhookIdIn(page);
  return {
    ...{ receiver, manager, webhookId },
    secret: secretIn(page),
    path: `${list}/${webhookId}`,
    messages: () => receiver.received.map(parseMessage),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

export function secretIn({ text }: Page): string {
  const [secret] = /whsec_[A-Za-z0-9+/]+=*/.exec(text) ?? [];
  if (secret === undefined) throw new Error('the page shows no secret');
  return secret;
}

export function webhookIdIn({ text }: Page): string {
  const [id] = /whk_[A-Za-z0-9]+/.exec(text) ?? [];
  if (id === undefined) throw new Error('the page names no webhook');
  return id;
}
