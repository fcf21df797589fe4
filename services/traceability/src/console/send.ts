// Sends pages of the console: inside the frame of the person who is logged in, or without a frame.
import type { DatabaseReader } from '@lothub/kit/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prepareReader, type Reader } from '../web/words/reader.ts';
import { getVisitor } from './access.ts';
import {
  CONSOLE_MODULE_POLICY,
  CONSOLE_POLICY,
  listModules,
  layOut,
  layOutAlone,
} from './frame.ts';
import type { ConsolePage, Shown } from './frame.ts';
import { namesOfBrands } from './queries.ts';

export interface SendDeps {
  readonly hubName: string;
  /** The reader of the ledger, for the names of brands. */
  readonly database: DatabaseReader;
}

export interface To {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Makes the reader of a page of the console. The page is never cached, also not after the choice of a
 * language.
 */
export function prepareConsoleReader(request: FastifyRequest, reply: FastifyReply): Reader {
  const reader = prepareReader(request, reply);
  void reply.header('Cache-Control', 'no-store');
  return reader;
}

/** Sends a page inside the frame of the person who is logged in. */
export async function sendFramed(
  deps: SendDeps,
  to: To,
  page: ConsolePage,
  status = 200,
): Promise<FastifyReply> {
  const { person, rights } = getVisitor(to.request);
  const names = await namesOfBrands(deps.database, [...rights.brands.keys()]);
  const reader = prepareConsoleReader(to.request, to.reply);
  const frame = { hubName: deps.hubName, reader, person, rights, names };
  return send(to.reply, page, { text: layOut(page, frame).text, status });
}

/** Sends a page to somebody who is not logged in. */
export async function sendAlone(
  deps: SendDeps,
  to: To,
  page: Shown,
  status = 200,
): Promise<FastifyReply> {
  const reader = prepareConsoleReader(to.request, to.reply);
  const { text } = layOutAlone(page, { hubName: deps.hubName, reader });
  return await send(to.reply, page, { text, status });
}

function send(
  reply: FastifyReply,
  page: Shown,
  { text, status }: { readonly text: string; readonly status: number },
): FastifyReply {
  return reply
    .code(status)
    .header(
      'Content-Security-Policy',
      listModules(page).length > 0 ? CONSOLE_MODULE_POLICY : CONSOLE_POLICY,
    )
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Referrer-Policy', 'same-origin')
    .type('text/html; charset=utf-8')
    .send(text);
}
