// The visitor of the console, and the right that a route needs. Each route names one right, so no route is
// open by mistake.
import type { Person } from '@lothub/people/access/person';
import type { Rights } from '@lothub/people/brands/access';
import { hasBrandRight, type BrandRight, type HubRight } from '@lothub/people/brands/rights';
import type { FastifyRequest } from 'fastify';

/** `own`: all people who are logged in, for their own account; `open`: everybody. */
export type ConsoleRight = BrandRight | HubRight | 'own' | 'open';

/** A person who is logged in, with all roles at that moment. */
export interface Visitor {
  readonly person: Person;
  readonly rights: Rights;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** In the console: the person who sent the request; null when nobody is logged in. */
    visitor: Visitor | null;
    /** In the console: true if the form is only shown again with what was typed, and nothing else is done. */
    isShownAgain: boolean;
  }
  interface FastifyContextConfig {
    /** The right that a route of the console needs. */
    right?: ConsoleRight;
  }
}

/** Returns the person who sent the request, on a route that is not open. */
export function getVisitor(request: FastifyRequest): Visitor {
  if (request.visitor === null) throw new Error('a page of a person is open to everybody');
  return request.visitor;
}

/**
 * Returns whether the visitor has a right in a brand. Pages show only what the visitor may do; the gate
 * refuses the rest.
 */
export function mayIn(request: FastifyRequest, brand: string, right: BrandRight): boolean {
  return hasBrandRight(getVisitor(request).rights.brands.get(brand), right);
}
