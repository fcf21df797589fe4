// The people of a process that serves several services: opened by the first that needs them, and closed once after
// all of them.
import { newLog } from '@lothub/kit/serving/service-log';
import type { ServedOptions } from '@lothub/kit/serving/served-service';
import type { SharedSettings } from '@lothub/kit/shared-settings';
import type { People, PeopleOptions } from './people.ts';

export interface SharedPeopleOptions {
  readonly settings: PeopleOptions['settings'] & Pick<SharedSettings, 'logLevel'>;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl: string | undefined;
}

export class SharedPeople implements AsyncDisposable {
  readonly #options: SharedPeopleOptions;
  #opened: Promise<People> | undefined;
  #people: People | undefined;

  constructor(options: SharedPeopleOptions) {
    this.#options = options;
  }

  /** @throws DatabaseError when the database cannot be opened; the reason of the signal */
  async open(options: Omit<ServedOptions, 'metrics'>): Promise<People> {
    this.#opened ??= this.#open(options);
    return await this.#opened;
  }

  /** Only when the database may not answer: see `PeopleStore.abandon`. */
  abandon(): void {
    this.#people?.abandon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Whoever opened them has reported why they are not open.
    const people = await this.#opened?.catch(() => undefined);
    await people?.close();
  }

  async #open(options: Omit<ServedOptions, 'metrics'>): Promise<People> {
    const { settings, databaseUrl } = this.#options;
    // Here and not at the top: commands that serve nothing start sooner without it.
    const { openServedPeople } = await import('./served-people.ts');
    const log = newLog({ settings, logStream: options.logStream });
    this.#people = await openServedPeople({ ...options, settings, databaseUrl, log });
    return this.#people;
  }
}
