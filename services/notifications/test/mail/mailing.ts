// Mail alone, for its tests: a store with a group and people who are sent mail, a mail server, a clock that stands
// still until it is moved, and the worker of a service.
import { openMailer, type OpenedMailer } from '@lothub/delivery/mail/mailer';
import { readMailSettings } from '@lothub/delivery/mail/settings';
import { startSmtpSink } from '@lothub/delivery/test/smtp-sink';
import type { SinkOptions, SmtpSink, SunkMail } from '@lothub/delivery/test/smtp-sink';
import { present } from '@lothub/kit/present';
import { SettingsReader } from '@lothub/kit/settings';
import { newId } from '@lothub/kit/secrets/ids';
import sql from 'sql-template-tag';
import { insertGroup, insertMember } from '../../src/groups/new-group.ts';
import { openMail, type OpenedMail } from '../../src/mail/open-mail.ts';
import { turnOn } from '../../src/mail/receiver-queries.ts';
import type { Rhythm } from '../../src/mail/rhythm.ts';
import type { Post, PostedPlace, Severity } from '../../src/store/post.ts';
import type { NotificationStore } from '../../src/store/store.ts';
import { TestClock, openTestStore, until } from '../delivery/outbox.ts';
import { newTestDatabase, type StoredRow, type TestDatabase } from '../engine.ts';
import { postTo, storeAccount } from '../stored-group.ts';

export const PUBLIC_URL = 'https://trace.example.com';

export interface MailedPerson {
  readonly accountId: string;
  readonly email: string;
  readonly receiverId: string;
}

export interface Mailing extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly store: NotificationStore;
  readonly clock: TestClock;
  readonly groupId: string;
  readonly log: readonly string[];
  newGroup(name: string): Promise<string>;
  /** A member of the group who is sent mail. */
  newPerson(wants?: {
    readonly minSeverity?: Severity;
    readonly rhythm?: Rhythm;
    readonly zone?: string;
    readonly groupIds?: readonly string[];
  }): Promise<MailedPerson>;
  post(changes?: Partial<Post>): Promise<PostedPlace>;
  /** Another service over the same store begins to send. */
  start(url: string, store?: NotificationStore): Promise<OpenedMail>;
  /** Moves the clock, and wakes all workers. */
  advance(ms: number): Promise<void>;
  rows(person: MailedPerson): Promise<readonly StoredRow[]>;
  receiver(person: MailedPerson): Promise<StoredRow | undefined>;
  /** Waits until that many deliveries of a person have a status. */
  settled(person: MailedPerson, status: string, count?: number): Promise<void>;
  /** Waits until that many tries of a person are on record. */
  tried(person: MailedPerson, count: number): Promise<void>;
}

export async function openMailing(): Promise<Mailing> {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await newTestDatabase());
  const clock = new TestClock();
  const store = opening.use(await openTestStore(database, clock));
  const ownerId = await storeAccount(database);
  const newGroup = async (name: string): Promise<string> => {
    const groupId = newId('grp');
    const actor = { accountId: ownerId, name: 'Ada' };
    await store.write(insertGroup({ groupId, name, ownerId, actor, at: clock.ms }));
    return groupId;
  };
  const groupId = await newGroup('Operations');
  const log: string[] = [];
  const opened: OpenedMail[] = [];
  const mailers: OpenedMailer[] = [];
  opening.defer(async () => {
    await Promise.all(opened.map((mail) => mail.close()));
    await Promise.all(mailers.map((mailer) => mailer.close()));
  });
  const wake = async (): Promise<void> => {
    // A commit of nothing wakes the workers.
    await store.write([sql`update feed_head set position = position where id = 1`]);
  };
  const rows: Mailing['rows'] = ({ receiverId }) =>
    store.reader.all(sql`
      select id, seq, status, attempts, due_at
      from mail_deliveries
      where receiver_id = ${receiverId}
      order by created_at, seq`);
  const closing = opening.move();
  return {
    database,
    store,
    clock,
    groupId,
    log,
    newGroup,
    newPerson: async ({ minSeverity = 'info', rhythm = 'at_once', zone, groupIds } = {}) => {
      const accountId = await storeAccount(database, 'Grace');
      const receiverId = newId('mr');
      await store.write([
        ...(groupIds ?? [groupId]).flatMap((joined) =>
          insertMember({ groupId: joined, accountId, role: 'member', at: clock.ms }),
        ),
        turnOn({ id: receiverId, accountId, minSeverity, rhythm, createdAt: clock.ms }),
        ...(zone === undefined
          ? []
          : [
              sql`
                insert into reach_preferences (account_id, time_zone)
                values (${accountId}, ${zone})`,
            ]),
      ]);
      return { accountId, receiverId, email: `${accountId}@example.com` };
    },
    post: async (changes) => {
      const outcome = await store.post(postTo(groupId, changes));
      if (outcome.kind !== 'created') throw new Error(`the post was ${outcome.kind}`);
      await store.distribute();
      return outcome;
    },
    start: async (url, otherStore = store) => {
      const mailer = openTestMailer(url);
      mailers.push(mailer);
      const mail = await openMail({
        mailer,
        store: otherStore,
        clock,
        publicUrl: PUBLIC_URL,
        log: { warn: (...line: readonly unknown[]) => void log.push(line.map(String).join(' ')) },
      });
      opened.push(mail);
      mail.start();
      return mail;
    },
    advance: async (ms) => {
      clock.ms += ms;
      await wake();
    },
    rows,
    receiver: ({ receiverId }) =>
      store.reader.first(sql`
        select status, disabled_reason, failures, hour_mails
        from mail_receivers
        where id = ${receiverId}`),
    settled: (person, status, count = 1) =>
      until(`${count} deliveries are ${status}`, async () => {
        const all = await rows(person);
        return all.filter((row) => row['status'] === status).length === count;
      }),
    tried: ({ receiverId }, count) =>
      until(`${count} tries`, async () => {
        const row = await store.reader.first<{ readonly tries: number }>(sql`
          select count(*) as tries
          from mail_attempts a
          join mail_deliveries d on d.id = a.delivery_id
          where d.receiver_id = ${receiverId}`);
        return Number(row?.tries) >= count;
      }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** In the thread of the test, which starts no other one for each server. */
function openTestMailer(url: string): OpenedMailer {
  const settings = new SettingsReader({ SMTP_URL: url, MAIL_FROM: 'Inbox <inbox@example.com>' });
  return openMailer(present(readMailSettings(settings), 'the settings of mail'));
}

/** Deliveries that wait, with the sink that takes them from now on. */
export async function startSinkAt(mailing: Mailing, options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options);
  await mailing.start(sink.url);
  return sink;
}

/** The titles that a mail lists, in its order. */
export function titlesIn({ mail }: SunkMail): readonly string[] {
  return [...(mail.text ?? '').matchAll(/^\* (.*)$/gm)].map(([, title = '']) => title);
}

export function findHeader({ mail }: SunkMail, name: string): string | undefined {
  return mail.headers.find(({ key }) => key === name)?.value;
}
