// Groups with rules and people with devices and mail, for tests of escalation: a store, a clock that stands still
// until it is moved, and rounds that are run one by one.
import { newId } from '@lothub/kit/secrets/ids';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { escalateDue } from '../../src/escalation/escalate.ts';
import { passOn } from '../../src/escalation/pass-on.ts';
import { setEscalation, type EscalationValues } from '../../src/escalation/rules.ts';
import { insertGroup, insertMember } from '../../src/groups/new-group.ts';
import { Ingest } from '../../src/ingest/ingest.ts';
import type { Post, PostedPlace } from '../../src/store/post.ts';
import type { NotificationStore } from '../../src/store/store.ts';
import { TestClock, openTestStore } from '../delivery/outbox.ts';
import { newTestDatabase, type StoredRow, type TestDatabase } from '../engine.ts';
import { postTo, storeAccount } from '../stored-group.ts';

export const PUBLIC_URL = 'https://inbox.example.com';
export const MINUTE_MS = 60_000;

export class EscalationGround implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly store: NotificationStore;
  readonly clock: TestClock;
  /** Who owns the groups. */
  readonly actor: { readonly accountId: string; readonly name: string };

  private constructor(parts: Pick<EscalationGround, 'database' | 'store' | 'clock' | 'actor'>) {
    this.database = parts.database;
    this.store = parts.store;
    this.clock = parts.clock;
    this.actor = parts.actor;
  }

  static async open(): Promise<EscalationGround> {
    const database = await newTestDatabase();
    const clock = new TestClock();
    const store = await openTestStore(database, clock);
    const actor = { accountId: await storeAccount(database), name: 'Ada' };
    return new EscalationGround({ database, store, clock, actor });
  }

  async newGroup(name = 'Bakery'): Promise<string> {
    const groupId = newId('grp');
    const { actor, clock } = this;
    const group = { groupId, name, ownerId: actor.accountId, actor, at: clock.ms };
    await this.store.write(insertGroup(group));
    return groupId;
  }

  /** A member with a device of this status and mail of another; undefined: without. */
  async newMember(
    groupId: string,
    receivers: { readonly device?: string; readonly mail?: string } = {},
  ): Promise<string> {
    const accountId = await storeAccount(this.database, 'Grace');
    const { device, mail } = receivers;
    await this.store.write([
      ...(device === undefined
        ? []
        : [
            sql`
              insert into devices (
                id, account_id, name, endpoint, p256dh, auth, min_severity, status, created_at
              )
              values (
                ${newId('dev')}, ${accountId}, 'Phone', ${`https://push.example/${newId('x')}`}, 'k', 'a',
                'critical', ${device}, 1
              )`,
          ]),
      ...(mail === undefined
        ? []
        : [
            sql`
              insert into mail_receivers (
                id, account_id, min_severity, rhythm, status, created_at
              )
              values (${newId('mlr')}, ${accountId}, 'critical', 'daily', ${mail}, 1)`,
          ]),
      ...insertMember({ groupId, accountId, role: 'member', at: this.clock.ms }),
    ]);
    return accountId;
  }

  async setRule(groupId: string, values: Partial<EscalationValues>): Promise<void> {
    await setEscalation(
      this,
      { actor: this.actor, groupId },
      {
        afterMinutes: 5,
        people: [],
        toGroupId: null,
        ...values,
      },
    );
  }

  async post(groupId: string, changes: Partial<Post> = {}): Promise<PostedPlace> {
    const outcome = await this.store.post(postTo(groupId, { severity: 'critical', ...changes }));
    if (outcome.kind !== 'created') throw new Error(`the post was ${outcome.kind}`);
    return outcome;
  }

  async acknowledge(groupId: string, seq: number): Promise<void> {
    await this.store.write([
      sql`
        insert into acknowledgements (group_id, seq, account_id, at)
        values (${groupId}, ${seq}, ${this.actor.accountId}, ${this.clock.ms})`,
    ]);
  }

  /** Rounds until nothing more is due. */
  async escalate(store: NotificationStore = this.store): Promise<void> {
    const { clock } = this;
    const mayGoOn = (): Promise<boolean> => Promise.resolve(true);
    while (await escalateDue({ store, clock, mayGoOn }));
    await this.passOn(store);
  }

  async passOn(store: NotificationStore = this.store): Promise<void> {
    const { clock } = this;
    const mayGoOn = (): Promise<boolean> => Promise.resolve(true);
    await passOn({ store, clock, ingest: new Ingest(store), publicUrl: PUBLIC_URL, mayGoOn });
  }

  read(query: Sql): Promise<readonly StoredRow[]> {
    return this.store.reader.all<StoredRow>(query);
  }

  /** seqs of what was escalated. */
  async escalated(groupId: string): Promise<readonly number[]> {
    const rows = await this.read(sql`
      select seq from escalated where group_id = ${groupId} order by seq`);
    return rows.map(({ seq }) => Number(seq));
  }

  async titles(groupId: string): Promise<readonly string[]> {
    const rows = await this.read(sql`
      select title from notifications where group_id = ${groupId} order by seq`);
    return rows.map(({ title }) => String(title));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.database[Symbol.asyncDispose]();
  }
}
