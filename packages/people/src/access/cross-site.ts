// Protection against writes that another site makes a browser send with its owner's cookie.
import type { FastifyRequest } from 'fastify';
import { PeopleProblem } from '../errors.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What browsers say of requests that no other site made them send. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Lets reads through, and writes that come from pages of this service or from no browser at all.
 * @param by `proof: 'required'`: a write with a session or a form, which any site can make a browser
 * send, must say that it comes from a page of this service; `optional`: JSON without a session, which
 * other sites cannot send unasked, is refused only when it says that it comes from elsewhere
 * @throws PeopleProblem `cross_site_refused`
 */
export function refuseCrossSite(
  request: FastifyRequest,
  by: { readonly publicUrl: string; readonly proof: 'required' | 'optional' },
): void {
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (typeof site === 'string' && OWN_SITES.has(site)) return;
    throw refusal();
  }
  const { origin } = request.headers;
  if (origin !== undefined) {
    if (isOwnOrigin(origin, { host: request.host, publicUrl: by.publicUrl })) return;
    throw refusal();
  }
  if (by.proof === 'required') throw refusal();
}

/** Older browsers send the origin alone. */
function isOwnOrigin(
  origin: string,
  own: { readonly host: string; readonly publicUrl: string },
): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === new URL(own.publicUrl).origin || (url.host !== '' && url.host === own.host);
}

function refusal(): PeopleProblem {
  return new PeopleProblem(
    'cross_site_refused',
    'A form, or a change with a session, comes from a page of this service: send its Origin, or use ' +
      'the pages',
  );
}
