// /docs: the description of the interface as pages, all endpoints and one page for each. They are in English, as
// the description is.
import { ApiPages } from '@lothub/design/api-pages/api-pages';
import type { ReadDescription } from '@lothub/kit/http/description/routes-description';
import { Type } from '@lothub/kit/json-schema';
import { Refusal } from '../../errors.ts';
import type { App } from '../../http.ts';
import { DESCRIPTION_PATH } from '../../openapi.ts';
import type { HubFrame } from '../error-page.ts';
import { sendPage } from '../layout.ts';
import { prepareReader } from '../words/reader.ts';

const PREFIX = '/docs';
/** No operation has a longer name. */
const NAME_MAX = 100;

export function apiPageRoutes(app: App, frame: HubFrame, readDescription: ReadDescription): void {
  const pages = new ApiPages(readDescription, {
    prefix: PREFIX,
    descriptionPath: DESCRIPTION_PATH,
    guide: { href: '/api-docs', words: 'the guide' },
  });
  app.get(PREFIX, { schema: { hide: true } }, async (request, reply) => {
    const page = { ...(await pages.index()), writtenIn: 'en' };
    return sendPage(reply, page, { ...frame, reader: prepareReader(request, reply) });
  });
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
      if (page === undefined) throw new Refusal('not_found', 'There is no endpoint of this name');
      const reader = prepareReader(request, reply);
      return sendPage(reply, { ...page, writtenIn: 'en' }, { ...frame, reader });
    },
  );
}
