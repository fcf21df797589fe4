// A browser without pages: it keeps cookies for each origin and follows redirects by hand.

export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Every address that was asked, in order. */
  readonly path: readonly string[];
}

const HOPS_MAX = 20;

export class TestBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #served: Readonly<Record<string, string>>;

  /** @param served where a public origin is really served, as behind a proxy */
  constructor(served: Readonly<Record<string, string>> = {}) {
    this.#served = served;
  }

  /** One request; a redirect is an answer. */
  async get(
    url: string,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> {
    const { origin } = new URL(url);
    const served = this.#served[origin];
    const cookie = this.#cookieLine(origin);
    const response = await fetch(served === undefined ? url : url.replace(origin, served), {
      ...init,
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Origin: origin,
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(origin, line);
    return response;
  }

  /** As `get`, by a process that listens elsewhere: as a proxy would choose it. */
  async getBy(own: string, url: string): Promise<Response> {
    const { origin, pathname, search } = new URL(url);
    const headers = { Accept: 'text/html', Cookie: this.#cookieLine(origin) };
    const response = await fetch(`${own}${pathname}${search}`, { redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) this.#keep(origin, line);
    return response;
  }

  /** Posts JSON. */
  async send(url: string, body: unknown): Promise<Response> {
    return await this.get(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /**
   * Follows redirects until a page comes.
   * @param until stops in front of an address, which is then the last of the path
   */
  async visit(url: string, until: (url: string) => boolean = () => false): Promise<Visit> {
    const path = [url];
    for (let hops = 0; hops < HOPS_MAX; hops += 1) {
      const here = path.at(-1)!;
      if (hops > 0 && until(here)) return { url: here, status: 0, text: '', path };
      const response = await this.get(here);
      const text = await response.text();
      const location = response.headers.get('location');
      if (location === null) return { url: here, status: response.status, text, path };
      path.push(new URL(location, here).href);
    }
    throw new Error(`too many redirects: ${path.join(' ')}`);
  }

  #cookieLine(origin: string): string {
    return [...this.#getJar(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #getJar(origin: string): Map<string, string> {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    return jar;
  }

  #keep(origin: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    const isGone = attributes.some((text) =>
      /^\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(text),
    );
    if (isGone || value === '') this.#getJar(origin).delete(name);
    else this.#getJar(origin).set(name, value);
  }
}
