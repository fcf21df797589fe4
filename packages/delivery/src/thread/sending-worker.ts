// The thread that encrypts, signs for push services, writes mails, connects and sends, in the time that all else leaves:
// a post takes 0.1 ms of a processor, and what it is sent to takes some twenty times that.
import { monotonicClock, systemClock } from '@lothub/kit/clock';
import { present } from '@lothub/kit/present';
import { SpareTime } from '@lothub/kit/serving/spare-time';
import { parentPort, workerData } from 'node:worker_threads';
import { openMailer } from '../mail/mailer.ts';
import { newPushSender } from '../push/push-sender.ts';
import { AddressRules } from '../sending/address-rules.ts';
import { newSender } from '../sending/send.ts';
import type { FromThread, Order, Outcome, SendingSettings, ToThread } from './messages.ts';

const spareTime = new SpareTime();
const { allowed, keys, contact, mail } = workerData as SendingSettings;
const send = newSender({ rules: new AddressRules(allowed) });
const push = newPushSender({ send, keys, contact, clock: systemClock });
const mailer = mail && openMailer(mail);
const stopping = new Map<number, AbortController>();

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'stop') {
    stopping.get(message.id)?.abort();
    return;
  }
  spareTime.waited(monotonicClock.elapsedMs() - message.orderedMs);
  void carryOut(message.id, message.order);
});

async function carryOut(id: number, order: Order): Promise<void> {
  const controller = new AbortController();
  stopping.set(id, controller);
  try {
    report({ id, ...(await sendOrder(order, controller.signal)) });
  } catch (error) {
    report({ id, error });
  } finally {
    stopping.delete(id);
  }
}

async function sendOrder(order: Order, signal: AbortSignal): Promise<Outcome> {
  switch (order.kind) {
    case 'request':
      return { result: await send({ ...order.request, url: new URL(order.url), signal }) };
    case 'push':
      return {
        result: await push(order.subscription, order.payload, { ...order.options, signal }),
      };
    case 'mail':
      return { mailed: await present(mailer, 'the mail server').send({ ...order.mail, signal }) };
  }
}

function report(message: FromThread): void {
  parentPort?.postMessage(message);
}
