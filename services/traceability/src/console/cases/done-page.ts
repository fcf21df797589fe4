// A page of a case that says what was just done there, as its address has it.
import { doneWordsIn } from '@lothub/design/done-mark';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import type { App } from '../../http.ts';
import { prepareConsoleReader, type To } from '../send.ts';

/** @param page `show`: answers with the page; `done` is undefined when the address names nothing that was done */
export function addCasePage(
  app: App,
  page: {
    readonly path: string;
    readonly params: TSchema;
    readonly show: (to: To, done: string | undefined) => Promise<FastifyReply>;
  },
): void {
  const { path, params, show } = page;
  const querystring = Type.Object({ done: Type.Optional(Type.String()) });
  app.get(
    path,
    { schema: { hide: true, params, querystring }, config: { right: 'read' } },
    async (request, reply) => {
      const { words } = prepareConsoleReader(request, reply);
      const done = doneWordsIn(words.console.cases.done, request.query.done);
      return await show({ request, reply }, done);
    },
  );
}
