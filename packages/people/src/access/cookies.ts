// The cookies of people: their names and attributes.
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_LIFE_MS } from './sessions.ts';

/** Browsers take a `__Host-` cookie over https only, for all paths, and from no other host. */
const SECURE_PREFIX = '__Host-';
const SESSION_NAME = 'lothub_session';
/** Says that this browser has logged in to an account before; see accounts/known-browser.ts. */
const BROWSER_NAME = 'lothub_browser';
const BROWSER_LIFE_SECONDS = 365 * 24 * 60 * 60;
/** Says that this browser began a log-in at the provider; see sign-on/attempts.ts. */
const SIGN_ON_NAME = 'lothub_sign_on';
/** As long as such a log-in may take. */
const SIGN_ON_LIFE_SECONDS = 10 * 60;

export class Cookies {
  readonly #isSecure: boolean;

  constructor(options: { readonly publicUrl: string }) {
    this.#isSecure = options.publicUrl.startsWith('https:');
  }

  get sessionName(): string {
    return this.#named(SESSION_NAME);
  }

  readSession(request: FastifyRequest): string | undefined {
    return request.cookies[this.sessionName];
  }

  /** The cookie lasts as long as the longest session; the service decides when a session ends. */
  setSession(reply: FastifyReply, secret: string): void {
    const maxAge = Math.floor(SESSION_LIFE_MS / 1_000);
    void reply.setCookie(this.#named(SESSION_NAME), secret, { ...this.#attributes(), maxAge });
  }

  clearSession(reply: FastifyReply): void {
    void reply.clearCookie(this.#named(SESSION_NAME), this.#attributes());
  }

  readBrowser(request: FastifyRequest): string | undefined {
    return request.cookies[this.#named(BROWSER_NAME)];
  }

  setBrowser(reply: FastifyReply, mark: string): void {
    void reply.setCookie(this.#named(BROWSER_NAME), mark, {
      ...this.#attributes(),
      maxAge: BROWSER_LIFE_SECONDS,
    });
  }

  readSignOn(request: FastifyRequest): string | undefined {
    return request.cookies[this.#named(SIGN_ON_NAME)];
  }

  setSignOn(reply: FastifyReply, secret: string): void {
    void reply.setCookie(this.#named(SIGN_ON_NAME), secret, {
      ...this.#attributes(),
      maxAge: SIGN_ON_LIFE_SECONDS,
    });
  }

  #named(name: string): string {
    return this.#isSecure ? `${SECURE_PREFIX}${name}` : name;
  }

  #attributes(): CookieSerializeOptions {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#isSecure };
  }
}
