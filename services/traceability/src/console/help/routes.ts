// Help: terms, first steps, what roles may do; of a brand, and for those who operate the hub.
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import type { App } from '../../http.ts';
import { visitorOf } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, nameOf } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { HUB_HELP } from '../paths.ts';
import { consoleReaderOf, sendFramed } from '../send.ts';
import { readSteps } from '../today/read-day.ts';
import { helpPage } from './help-page.ts';

export function helpPageRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    `${BRAND_ROUTE}/help`,
    { schema: { hide: true, params: Type.Object(BRAND_PARAM) }, config: { right: 'read' } },
    async (request, reply) => {
      const { brand } = request.params;
      const { rights } = visitorOf(request);
      const reader = consoleReaderOf(request, reply);
      const role = present(rights.brands.get(brand), 'the role behind a right');
      const steps = await readSteps(deps, { request, brand, role });
      const name = await nameOf(deps, brand);
      const { title } = reader.words.console.help;
      const body = helpPage({ brand: { name, steps } }, reader);
      return await sendFramed(deps, { request, reply }, { title, brand, body });
    },
  );

  app.get(
    HUB_HELP,
    { schema: { hide: true }, config: { right: 'overview' } },
    async (request, reply) => {
      const reader = consoleReaderOf(request, reply);
      const { title } = reader.words.console.help;
      const body = helpPage({ brand: undefined }, reader);
      return await sendFramed(deps, { request, reply }, { title, body });
    },
  );
}
