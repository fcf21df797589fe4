// People for tests of the console: accounts with a session and roles, written past the pages and without the
// time that a password takes, and what their browsers send.
import { newId } from '@lothub/kit/secrets/ids';
import { insertAccount } from '@lothub/people/accounts/queries';
import { newSession } from '@lothub/people/access/sessions';
import { giveRole } from '@lothub/people/brands/grants';
import { COMMAND_LINE } from '@lothub/people/brands/roles-of-place';
import type { Answer, Booted } from '../boot.ts';

export interface TestVisitor {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  /** What a browser of this person sends with each request to the pages' own site. */
  readonly headers: Readonly<Record<string, string>>;
  get(path: string): Promise<Page>;
  post(path: string, values?: Readonly<Record<string, string>>): Promise<Page>;
}

/** An answer as a browser gets it: redirects are not followed. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Where it leads to; null when nowhere. */
  readonly location: string | null;
}

export interface Roles {
  readonly name?: string;
  /** By tenant. */
  readonly brands?: Readonly<Record<string, 'viewer' | 'quality' | 'manager'>>;
  readonly isOperator?: boolean;
  /** As argon2 has it; nobody logs in with it when not given. */
  readonly passwordHash?: string;
}

export const OWN_SITE = { 'Sec-Fetch-Site': 'same-origin' };

/** @param booted a hub of this process, or the address of another one with the people of both */
export async function newVisitor(
  booted: Pick<Booted, 'base'> & { readonly service: Pick<Booted['service'], 'people'> },
  roles: Roles = {},
): Promise<TestVisitor> {
  const { people } = booted.service;
  const accountId = newId('usr');
  const { name = 'Ada', brands = {}, passwordHash = 'nobody logs in with it' } = roles;
  const email = `${accountId.toLowerCase()}@example.com`;
  const nowMs = Date.now();
  const session = newSession({ accountId, agent: 'test', nowMs });
  await people.store.write([
    insertAccount({ id: accountId, email, name, passwordHash, createdAt: nowMs }),
    ...session.statements,
  ]);
  for (const [id, role] of Object.entries(brands)) {
    await giveRole(people, COMMAND_LINE, { place: { kind: 'brand', id }, accountId, role });
  }
  if (roles.isOperator === true) {
    const place = { kind: 'hub', id: '' } as const;
    await giveRole(people, COMMAND_LINE, { place, accountId, role: 'operator' });
  }
  const headers = { Cookie: `lothub_session=${session.secret}`, ...OWN_SITE };
  return {
    ...{ accountId, name, email, headers },
    get: (path) => open(booted, path, { headers }),
    post: (path, values) => submit(booted, path, { headers, values }),
  };
}

/** Opens a page as a browser does that takes pages. */
export async function open(
  booted: Pick<Booted, 'base'>,
  path: string,
  init: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Page> {
  return await readPage(
    await fetch(booted.base + path, {
      headers: { Accept: 'text/html', ...init.headers },
      redirect: 'manual',
    }),
  );
}

/** Sends a form. */
export async function submit(
  booted: Pick<Booted, 'base'>,
  path: string,
  init: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly values?: Readonly<Record<string, string>> | undefined;
  } = {},
): Promise<Page> {
  return await readPage(
    await fetch(booted.base + path, {
      method: 'POST',
      headers: { Accept: 'text/html', ...init.headers },
      body: new URLSearchParams(init.values),
      redirect: 'manual',
    }),
  );
}

async function readPage(response: Response): Promise<Page> {
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    location: response.headers.get('location'),
  };
}

/** What a page says, without its markup. */
export function readWords({ text }: Page | Answer): string {
  return text
    .replace(/<head>[^]*<\/head>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
