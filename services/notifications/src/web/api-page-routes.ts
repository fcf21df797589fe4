// /api/v1/docs: the description of the interface as pages, all endpoints and one page for each.
import { ApiPages } from '@lothub/design/api-pages/api-pages';
import type { ReadDescription } from '@lothub/kit/http/description/routes-description';
import { Type } from '@lothub/kit/json-schema';
import { Problem } from '../errors.ts';
import { API_PREFIX, type App } from '../http.ts';
import { DESCRIPTION_PATH } from '../openapi.ts';
import { layOutOpen, sendPage } from './layout.ts';

const PREFIX = `${API_PREFIX}/docs`;
/** No operation has a longer name. */
const NAME_MAX = 100;

export function apiPageRoutes(app: App, readDescription: ReadDescription): void {
  const pages = new ApiPages(readDescription, {
    prefix: PREFIX,
    descriptionPath: DESCRIPTION_PATH,
  });
  app.get(PREFIX, { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, layOutOpen(await pages.index())),
  );
  app.get(
    `${PREFIX}/:operation`,
    {
      schema: {
        hide: true,
        params: Type.Object({ operation: Type.String({ maxLength: NAME_MAX }) }),
      },
    },
    async (request, reply) => {
      const page = await pages.operation(request.params.operation);
      if (page === undefined) throw new Problem('not_found', 'There is no endpoint of this name');
      return sendPage(reply, layOutOpen(page));
    },
  );
}
