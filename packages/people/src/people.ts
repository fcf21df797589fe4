// The people of a process: their store, and what looks after their log-ins. A process opens them once, for
// all of its services.
//
// Only this store writes the tables of people. The notifications read them in their queries. A change of both
// databases is two transactions, people first: docs/write-path.md#people.
import { systemClock, type Clock } from '@lothub/kit/clock';
import type { TokenBucket } from '@lothub/kit/http/token-bucket';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import type { FastifyBaseLogger } from 'fastify';
import { Cookies } from './access/cookies.ts';
import { SeenNotes } from './access/seen.ts';
import { LoginThrottle } from './accounts/login-throttle.ts';
import { BrandNames } from './brands/brand-names.ts';
import { newPlaces } from './brands/places.ts';
import { Passwords } from './passwords/passwords.ts';
import type { PlaceRegistry } from './places/places.ts';
import type { PeopleSettings } from './settings.ts';
import { openSignOn, type SignOn } from './sign-on/sign-on.ts';
import { openStore } from './store/open-store.ts';
import type { PeopleStore } from './store/store.ts';

export interface People extends AsyncDisposable {
  readonly store: PeopleStore;
  readonly clock: Clock;
  /** As people reach the service, without a slash at the end. */
  readonly publicUrl: string;
  readonly cookies: Cookies;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly seen: SeenNotes;
  /** Undefined: no provider is set. */
  readonly signOn: SignOn | undefined;
  /** Where people are invited: brands and the hub; the notifications add their groups. */
  readonly places: PlaceRegistry;
  /** The hub says how brands are called. */
  readonly brandNames: BrandNames;
  /** Only when the database may not answer: see `PeopleStore.abandon`. */
  readonly abandon: () => void;
  close(): Promise<void>;
}

export interface PeopleOptions extends UpgradeOptions {
  readonly settings: PeopleSettings & {
    /** Holds the SQLite database. */
    readonly dataDir: string;
    readonly publicUrl: string;
  };
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl: string | undefined;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly clock?: Clock;
  /** At another cost than the usual one. */
  readonly passwords?: Passwords | undefined;
  /** Called when nothing can be written any more, so that the process can end. */
  readonly onFatal: (error: Error) => void;
}

/** @throws DatabaseError when the database cannot be opened */
export async function openPeople(options: PeopleOptions): Promise<People> {
  const { settings, databaseUrl, log, clock = systemClock, passwords = new Passwords() } = options;
  const { publicUrl } = settings;
  await using opening = new AsyncDisposableStack();
  const store = opening.use(
    await openStore({ ...options, dataDir: settings.dataDir, databaseUrl }),
  );
  const seen = opening.use(
    new SeenNotes({
      write: (statements) => store.write(statements),
      onError: (error) => {
        log.warn({ err: error }, 'noting when a session was last used failed');
      },
    }),
  );
  const countingAlone = (error: unknown): void => {
    log.warn({ err: error }, 'log-ins are counted by this process alone for a while');
  };
  const bucket = (name: string): TokenBucket | undefined =>
    store.tokenBucket({
      name,
      rate: settings.loginRates,
      onError: countingAlone,
    });
  const throttle = new LoginThrottle({
    accounts: bucket('login-account'),
    addresses: bucket('login-address'),
    browsers: bucket('login-browser'),
  });
  const signOn =
    settings.signOn === undefined
      ? undefined
      : await openSignOn({ settings: settings.signOn, store, clock, onError: countingAlone });
  const brandNames = new BrandNames();
  const places = newPlaces(store, { brandNames, publicUrl });
  const opened = opening.move();
  const close = (): Promise<void> => opened.disposeAsync();
  return {
    store,
    clock,
    publicUrl,
    cookies: new Cookies({ publicUrl }),
    passwords,
    throttle,
    seen,
    signOn,
    places,
    brandNames,
    abandon: () => store.abandon?.(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
