// GET /metrics, in front of all services of a process. It needs the token, and answers from the first moment on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FrontedApp } from '../serving/front.ts';
import { hashesEqual, keyHash } from '../secrets/secrets.ts';
import type { Metrics } from './metrics.ts';

const PATH = /^\/metrics(?=\?|$)/;
const METHODS: readonly string[] = ['GET', 'HEAD'];
const JSON_TYPE = 'application/json; charset=utf-8';

export interface MetricsEndpoint {
  readonly metrics: Metrics;
  /** `METRICS_TOKEN`. */
  readonly token: string;
  /** Called with what kept the figures from being collected. */
  readonly onError: (error: unknown) => void;
}

/** The app, and the figures of the process at their path. */
export function withMetrics(app: FrontedApp, endpoint: MetricsEndpoint): FrontedApp {
  return {
    get timeouts() {
      return app.timeouts;
    },
    refuseMalformed: (error, socket) => app.refuseMalformed(error, socket),
    routing: (request, response) => {
      if (PATH.test(request.url ?? '')) void answer(endpoint, { request, response });
      else app.routing(request, response);
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(
  { metrics, token, onError }: MetricsEndpoint,
  { request, response }: Exchange,
): Promise<void> {
  if (!METHODS.includes(request.method ?? '')) {
    response.setHeader('Allow', METHODS.join(', '));
    return refuse(response, { status: 405, detail: `Use ${METHODS.join(' or ')}` });
  }
  if (!isBearer(request.headers.authorization, token)) {
    response.setHeader('WWW-Authenticate', 'Bearer');
    return refuse(response, {
      status: 401,
      detail: 'Send the token of METRICS_TOKEN as `Authorization: Bearer`',
    });
  }
  try {
    const text = await metrics.text();
    response.setHeader('Cache-Control', 'no-store').setHeader('Content-Type', metrics.mediaType);
    response.end(text);
  } catch (error) {
    onError(error);
    refuse(response, { status: 500, detail: 'The figures could not be read; the log says why' });
  }
}

function refuse(
  response: ServerResponse,
  { status, detail }: { readonly status: number; readonly detail: string },
): void {
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  response.end(JSON.stringify({ detail }));
}

/** Takes as long for a wrong token as for the right one. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (sent === undefined) return false;
  return hashesEqual(keyHash(sent), keyHash(token));
}
