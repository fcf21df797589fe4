// The pages of one brand.
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { chainSummary } from '../../ledger/chain-summary.ts';
import type { App } from '../../http.ts';
import { visitorOf } from '../access.ts';
import type { ConsoleDeps } from '../deps.ts';
import { brandPath } from '../paths.ts';
import { peopleRoutes } from '../people/routes.ts';
import { consoleReaderOf, sendFramed } from '../send.ts';
import { BRAND_PARAM, BRAND_ROUTE, brandOf, nameOf } from './brand.ts';
import { startPage } from './start-page.ts';

export function brandRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    BRAND_ROUTE,
    { schema: { hide: true, params: Type.Object(BRAND_PARAM) }, config: { right: 'read' } },
    async (request, reply) => {
      const { brand } = request.params;
      const { rights } = visitorOf(request);
      const reader = consoleReaderOf(request, reply);
      const name = await nameOf(deps, brand);
      const body = startPage(
        {
          name,
          role: present(rights.brands.get(brand), 'the role behind a right'),
          chain: await chainSummary(deps, await deps.reader.head()),
          firstBadHeight: deps.state.condition.firstBadHeight,
        },
        reader,
      );
      return await sendFramed(deps, { request, reply }, { title: name, brand, body });
    },
  );

  peopleRoutes(app, deps, {
    kind: 'brand',
    route: `${BRAND_ROUTE}/people`,
    params: BRAND_PARAM,
    right: 'people',
    placeOf: (to) => ({ kind: 'brand', id: brandOf(to) }),
    pathOf: ({ id }) => brandPath(id, 'people'),
    nameOf: ({ id }) => nameOf(deps, id),
    wordsOf: ({ people }) => people,
    removed: 'person-removed',
  });
}
