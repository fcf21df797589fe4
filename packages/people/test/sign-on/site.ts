// A site whose people log in at a provider: real tables, real routes, a real provider, each on a port of its
// own. Its pages are as small as can be, and its refusals are JSON.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import cookie from '@fastify/cookie';
import type { Clock } from '@lothub/kit/clock';
import { SettingsReader } from '@lothub/kit/settings';
import Fastify from 'fastify';
import { findPerson } from '../../src/access/gate.ts';
import { letIn, readBrowser } from '../../src/accounts/entrance.ts';
import { logIn, logOut } from '../../src/accounts/log-in.ts';
import { newAccount } from '../../src/accounts/new-account.ts';
import { PeopleProblem } from '../../src/errors.ts';
import { openPeople, type People } from '../../src/people.ts';
import { readPeopleSettings } from '../../src/settings.ts';
import { logOutPath } from '../../src/sign-on/log-out.ts';
import { signOnRoutes } from '../../src/sign-on/routes.ts';
import { newDatabaseWithTables, type TestDatabase } from '../engine.ts';
import type { TestBrowser, Visit } from './browser.ts';
import { BRAND_CLAIM, CLIENT_ID, CLIENT_SECRET, ROLE_CLAIM, startProvider } from './provider.ts';
import type { TestProvider, TestProviderOptions } from './provider.ts';

export const PASSWORD = 'correct horse battery staple';
/** The brands that the hub knows. */
const BRANDS: ReadonlySet<string> = new Set(['acme', 'bolt']);

export interface Site extends AsyncDisposable {
  readonly base: string;
  /** Where this process itself listens. */
  readonly own: string;
  readonly people: People;
  readonly database: TestDatabase;
  readonly provider: TestProvider;
  readonly clock: TestClock;
  /** The log, line by line. */
  readonly log: readonly string[];
  /** Makes an account with a password. */
  makeAccount(person: { readonly email: string; readonly name: string }): Promise<string>;
  /** Logs a browser in with a password. */
  logInByPassword(browser: TestBrowser, email: string): Promise<Response>;
  /** The whole way to the provider and back, to the last page. */
  signOn(browser: TestBrowser, next?: string): Promise<Visit>;
  /** The same up to the address that the provider sends the browser back to, which is not asked. */
  signOnUntilBack(browser: TestBrowser, begin?: (url: URL) => void): Promise<string>;
  /** Another process of the same site, over the same database. */
  beside(): Promise<Site>;
}

export interface TestClock extends Clock {
  /** Milliseconds by which it is ahead of the machine's. */
  ahead: number;
}

export interface SiteOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly provider?: Partial<TestProviderOptions>;
  /** The issuer in the settings, when it is not the provider's own. */
  readonly issuer?: (own: string) => string;
}

export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const server = await listen();
  const base = getBase(server);
  const provider = await startProvider({
    redirectUris: [`${base}/console/sign-on/back`],
    postLogoutRedirectUris: [`${base}/console/login?done=logged-out`],
    ...options.provider,
  });
  return await openSite({
    options,
    server,
    base,
    provider,
    database: await newDatabaseWithTables(),
  });
}

/** Puts somebody at the provider, who is logged in there from now on. */
export function becomes(
  { provider }: Pick<Site, 'provider'>,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): void {
  provider.people.set(subject, claims);
  provider.person = subject;
}

/** Who is logged in, by the page. */
export function personIn(visit: Visit): {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
} {
  assert.equal(visit.status, 200, visit.text);
  const [accountId, email, name] = ['accountId', 'email', 'name'].map((key) => fieldIn(visit, key));
  return { accountId: accountId!, email: email!, name: name! };
}

/** Why a request was refused. */
export function codeIn(answer: Pick<Visit, 'text'>): string {
  return fieldIn(answer, 'code');
}

function fieldIn({ text }: Pick<Visit, 'text'>, name: string): string {
  const answer: unknown = JSON.parse(text);
  assert(typeof answer === 'object' && answer !== null, text);
  return String(Object.entries(answer).find(([key]) => key === name)?.[1]);
}

interface SiteParts {
  readonly options: SiteOptions;
  readonly server: Server;
  /** As people reach it; of two processes a proxy has it. */
  readonly base: string;
  readonly provider: TestProvider;
  readonly database: TestDatabase;
}

async function openSite(parts: SiteParts): Promise<Site> {
  const { options, server, base, provider, database } = parts;
  const clock: TestClock = { ahead: 0, nowMs: () => Date.now() + clock.ahead };
  const log: string[] = [];
  const settings = readPeopleSettings(
    new SettingsReader({
      OIDC_ISSUER: options.issuer?.(provider.issuer) ?? provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_BRAND_CLAIM: BRAND_CLAIM,
      OIDC_ROLE_CLAIM: ROLE_CLAIM,
      ...options.env,
    }),
  );
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line: string) => void log.push(line) } },
    serverFactory: (handler) => server.on('request', handler),
  });
  const people = await openPeople({
    settings: { ...settings, dataDir: database.dataDir, publicUrl: base },
    databaseUrl: database.databaseUrl,
    log: app.log,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });
  people.brandNames.findBy((tenant) =>
    Promise.resolve(BRANDS.has(tenant) ? { name: tenant } : undefined),
  );
  await app.register(cookie);
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof PeopleProblem) {
      return reply.code(403).send({ code: error.code, message: error.message });
    }
    throw error;
  });
  signOnRoutes(app, { people, prefix: '/console' });
  app.get('/console*', async (request, reply) => {
    const person = await findPerson(people, request);
    return person ?? reply.code(401).send({ code: 'login_required' });
  });
  app.post('/console/logout', async (request, reply) => {
    const person = await findPerson(people, request);
    if (person === undefined) throw new Error('nobody is logged in');
    const { tokenHash } = person.via;
    const path = await logOutPath(people, { prefix: '/console', tokenHash });
    await logOut(people, { accountId: person.accountId, tokenHash });
    return await reply.redirect(path ?? '/console/login', 303);
  });
  app.post<{ Body: { email: string; password: string } }>(
    '/console/login',
    async (request, reply) => {
      const loggedIn = await logIn(people, {
        ...request.body,
        address: request.ip,
        browser: readBrowser(people, request),
        oldSecret: people.cookies.readSession(request),
      });
      letIn(people, reply, loggedIn);
      return await reply.code(201).send({ accountId: loggedIn.accountId });
    },
  );
  await app.ready();
  const site: Site = {
    base,
    own: getBase(server),
    people,
    database,
    provider,
    clock,
    log,
    makeAccount: async ({ email, name }) => {
      const passwordHash = await people.passwords.hash(PASSWORD);
      const { account, statements } = newAccount({ email, name, passwordHash }, clock.nowMs());
      await people.store.write(statements);
      return account.id;
    },
    logInByPassword: (browser, email) =>
      browser.send(`${base}/console/login`, { email, password: PASSWORD }),
    signOn: (browser, next) =>
      browser.visit(
        `${base}/console/sign-on${next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`}`,
      ),
    signOnUntilBack: async (browser, change = () => undefined) => {
      const begun = await browser.get(`${base}/console/sign-on`);
      const url = new URL(begun.headers.get('location') ?? '');
      change(url);
      const visit = await browser.visit(url.href, (here) => here.startsWith(base));
      return visit.url;
    },
    beside: async () => {
      const other = await listen();
      const beside: TestDatabase = { ...database, [Symbol.asyncDispose]: async () => undefined };
      return await openSite({ ...parts, server: other, database: beside });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await app.close();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
      await people.close();
      await database[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
  return site;
}

/** The way in through another process: as `site.base`, but at its own port. */
async function listen(): Promise<Server> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function getBase(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}
