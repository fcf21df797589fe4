// A hub that notifies people by mail and on devices, as tests set it up: the mails go to a server of the test.
import assert from 'node:assert/strict';
import { startSmtpSink } from '@lothub/delivery/test/smtp-sink';
import type { SinkOptions, SmtpSink, SunkMail } from '@lothub/delivery/test/smtp-sink';
import { boot, type BootOptions, type Booted } from '../boot.ts';

export { until } from '../webhooks/receiving.ts';

const LOOKS_EVERY_MS = 20;
export const MAIL_FROM = 'Old Mill <recalls@trace.example.com>';
export const PUBLIC_URL = 'https://trace.example.com';

export interface WatchedHub extends AsyncDisposable {
  readonly hub: Booted;
  readonly sink: SmtpSink;
}

/** @param options.sink what the mail server answers */
export async function bootWatched(
  options: BootOptions & { readonly sink?: SinkOptions } = {},
): Promise<WatchedHub> {
  const { sink: answers, ...rest } = options;
  const sink = await startSmtpSink(answers);
  const hub = await boot({ ...rest, ...watchedOptions(sink, rest) });
  return {
    ...{ hub, sink },
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await sink[Symbol.asyncDispose]();
    },
  };
}

export function watchedOptions({ url }: Pick<SmtpSink, 'url'>, { env }: BootOptions = {}) {
  return {
    webhookLooksEveryMs: LOOKS_EVERY_MS,
    env: { SMTP_URL: url, MAIL_FROM, PUBLIC_URL, WEBHOOK_ALLOW: '127.0.0.1', ...env },
  };
}

export interface FormAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a browser gets that sends a form, and goes where it is led. */
export async function sendForm(
  { base }: Pick<Booted, 'base'>,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<FormAnswer> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { Accept: 'text/html', ...headers },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export async function openPage(
  { base }: Pick<Booted, 'base'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FormAnswer> {
  const response = await fetch(base + path, { headers: { Accept: 'text/html', ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The address of a mail's link, below the public address. @param label as `/watch/confirm` */
export function linkIn({ mail }: SunkMail, label: string): string {
  const found = new RegExp(`${PUBLIC_URL}(${label}\\?w=[\\w.]+)`).exec(mail.text ?? '');
  const [, link] = found ?? [];
  assert.ok(link, mail.text ?? '');
  return link;
}

export function tokenIn(link: string): string {
  const token = new URL(link, PUBLIC_URL).searchParams.get('w');
  assert.ok(token);
  return token;
}

/** Has an address watch, and confirms it by its mail. */
export async function watchByMail(
  { hub, sink }: Pick<WatchedHub, 'hub' | 'sink'>,
  watch: {
    readonly email: string;
    readonly brand: string;
    readonly lotCode: string;
    readonly what?: 'lot' | 'product';
    readonly language?: string;
  },
): Promise<void> {
  const { email, brand, lotCode, what = 'lot', language = 'en' } = watch;
  const before = sink.mails.length;
  const fields = { brand, lot_code: lotCode, what, email };
  const asked = await sendForm(hub, '/watch', fields, { 'Accept-Language': language });
  assert.equal(asked.status, 200, asked.text);
  await sink.arrived(before + 1);
  const link = linkIn(sink.mails.at(-1)!, '/watch/confirm');
  const confirmed = await sendForm(hub, '/watch/confirm', { w: tokenIn(link) });
  assert.equal(confirmed.status, 200, confirmed.text);
}

/** Mails that came to an address, the first first. */
export function mailsTo(sink: SmtpSink, address: string): readonly SunkMail[] {
  return sink.mails.filter(({ to }) => to.includes(address));
}

/** Whether everybody was notified of everything, or is not notified any more. */
export async function hasNoMessages({ hub }: Pick<WatchedHub, 'hub'>): Promise<boolean> {
  const waiting = await hub.database.rows(
    'select case_no from watch_messages union all select topic from watch_deliveries',
  );
  return waiting.length === 0;
}
