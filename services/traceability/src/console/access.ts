// Who looks at the console and what a route asks of them: each route names one right, and nothing is open
// because nobody thought of it.
import type { Person } from '@lothub/people/access/person';
import type { Rights } from '@lothub/people/brands/access';
import { hasBrandRight, type BrandRight, type HubRight } from '@lothub/people/brands/rights';
import type { FastifyRequest } from 'fastify';

/** `own`: people who are logged in, about themselves; `open`: everybody. */
export type ConsoleRight = BrandRight | HubRight | 'own' | 'open';

/** A person who is logged in, with all roles at that moment. */
export interface Visitor {
  readonly person: Person;
  readonly rights: Rights;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** In the console: who sent the request; null when nobody is logged in. */
    visitor: Visitor | null;
    /** In the console: the form is to be shown as it was typed, and nothing is to be done. */
    isShownAgain: boolean;
  }
  interface FastifyContextConfig {
    /** What a route of the console asks for. */
    right?: ConsoleRight;
  }
}

/** Who sent the request, on a route that is not open. */
export function getVisitor(request: FastifyRequest): Visitor {
  if (request.visitor === null) throw new Error('a page of a person is open to everybody');
  return request.visitor;
}

/** Whether the visitor has a right in a brand: pages show what the visitor may do, and the gate refuses the rest. */
export function mayIn(request: FastifyRequest, brand: string, right: BrandRight): boolean {
  return hasBrandRight(getVisitor(request).rights.brands.get(brand), right);
}
