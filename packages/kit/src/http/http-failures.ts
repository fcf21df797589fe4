// What a Fastify app fails with before any route has a say: paths and methods that are not there, bytes
// that are no HTTP, requests that a schema or Fastify itself refuses. What is answered, each service
// decides.
import type { ConnectionError, FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';
import type { SchemaError } from './field-errors.ts';

/** Which methods an app has at a path. */
export class KnownPaths {
  readonly #routes: { readonly method: string; readonly path: RegExp }[] = [];

  /** Collects the paths of an app. Call it before routes are added, so that it gets all of them. */
  static of(app: Pick<FastifyInstance, 'addHook'>): KnownPaths {
    const known = new KnownPaths();
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) {
        // Preflight answers to cross-origin requests exist at every path and are no endpoints.
        if (method === 'OPTIONS') continue;
        known.#routes.push({ method, path: pathPattern(route.url) });
      }
    });
    return known;
  }

  /** @param url the path, perhaps with a query */
  methodsAt(url: string): readonly string[] {
    const path = url.replace(/\?.*$/s, '');
    const here = this.#routes.filter((route) => route.path.test(path));
    return [...new Set(here.map(({ method }) => method))];
  }
}

/** A parameter that takes only what an expression matches, `:id(^[0-9]+$)`, and any other parameter. */
const PARAMETER = /:[^/(]+(?:\(\^(.+)\$\))?/g;

/** A route's address as a pattern; parameters match one path segment, `*` the rest. */
function pathPattern(url: string): RegExp {
  const parts: string[] = [];
  let end = 0;
  for (const match of url.matchAll(PARAMETER)) {
    parts.push(fixedPattern(url.slice(end, match.index)), match[1] ?? '[^/]+');
    end = match.index + match[0].length;
  }
  return new RegExp(`^${parts.join('')}${fixedPattern(url.slice(end))}$`);
}

function fixedPattern(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
}

/** What the HTTP parser itself refuses; everything else that is wrong is a 400. */
const STATUS_OF_PARSER_ERROR: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};
const REASON_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers bytes that are no HTTP request on their socket, which is closed then. */
export function answerOnSocket(
  error: ConnectionError,
  socket: Socket,
  answer: { readonly mediaType: string; readonly buildBody: (status: number) => string },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_PARSER_ERROR[error.code] ?? 400;
  const body = answer.buildBody(status);
  socket.end(
    `HTTP/1.1 ${status} ${REASON_OF_STATUS[status] ?? ''}\r\nContent-Type: ${answer.mediaType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

export interface FastifyErrorLike {
  readonly code: string;
  readonly statusCode: number;
}

export function isFastifyError(error: unknown): error is FastifyErrorLike {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'statusCode' in error &&
    typeof error.statusCode === 'number'
  );
}

/** The parts of a request. */
export type RequestPart = 'body' | 'query' | 'path' | 'header';

const PART_OF_CONTEXT: Readonly<Record<string, RequestPart>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** What the schema of one part of a request refused; undefined for any other error. */
export function findValidation(
  error: unknown,
): { readonly errors: readonly SchemaError[]; readonly part: RequestPart } | undefined {
  if (typeof error !== 'object' || error === null || !('validation' in error)) return undefined;
  if (!Array.isArray(error.validation)) return undefined;
  const context =
    'validationContext' in error && typeof error.validationContext === 'string'
      ? error.validationContext
      : 'body';
  return {
    errors: error.validation as readonly SchemaError[],
    part: PART_OF_CONTEXT[context] ?? 'body',
  };
}
