// What the serving thread and the sending thread say to each other. Plain values only: they cross a thread.
import type { Mail } from '../mail/mailer.ts';
import type { MailSettings } from '../mail/settings.ts';
import type { MailResult } from '../mail/smtp-answer.ts';
import type { PushOptions } from '../push/push-sender.ts';
import type { Subscription } from '../push/subscription.ts';
import type { VapidKeys } from '../push/vapid-keys.ts';
import type { TryResult } from '../sending/answer.ts';
import type { WebhookRequest } from '../sending/send.ts';

export interface SendingSettings {
  /** Ranges of addresses that are not public and may be sent to all the same, as AddressRules takes them. */
  readonly allowed: readonly string[];
  readonly keys: VapidKeys;
  /** Whom the operators of push services write to. */
  readonly contact: string;
  /** undefined: no mail is sent. It has a password, so settings are never logged. */
  readonly mail: MailSettings | undefined;
}

export type Order =
  | {
      readonly kind: 'request';
      readonly url: string;
      readonly request: Omit<WebhookRequest, 'url' | 'signal'>;
    }
  | {
      readonly kind: 'push';
      readonly subscription: Subscription;
      readonly payload: string;
      readonly options: Omit<PushOptions, 'signal'>;
    }
  | { readonly kind: 'mail'; readonly mail: Omit<Mail, 'signal'> };

export type ToThread =
  | {
      readonly kind: 'order';
      readonly id: number;
      readonly order: Order;
      /** When it was given, on the clock that all threads share. */
      readonly orderedMs: number;
    }
  /** The service stops. */
  | { readonly kind: 'stop'; readonly id: number };

/** What became of an order: of a mail `mailed`, of any other `result`. */
export type Outcome = { readonly result: TryResult } | { readonly mailed: MailResult };

export type FromThread = { readonly id: number } & (Outcome | { readonly error: unknown });
