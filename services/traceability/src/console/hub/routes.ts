// The pages of those who operate the hub: its brands, and who operates it.
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import { textOrNothing } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { actorOf } from '@lothub/people/access/person';
import { fieldsProblem } from '@lothub/people/errors';
import { makeInvitation } from '@lothub/people/invitations/invitations';
import { brandPlace } from '@lothub/people/places/place';
import type { FastifyReply } from 'fastify';
import { TENANT_ID_PATTERN } from '../../http.ts';
import type { App } from '../../http.ts';
import { BRAND_MAX } from '../../web/fragments.ts';
import { visitorOf } from '../access.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { CONSOLE, HUB, OPERATORS } from '../paths.ts';
import { peopleRoutes } from '../people/routes.ts';
import { consoleReaderOf, sendFramed } from '../send.ts';
import type { To } from '../send.ts';
import { listBrands } from './brands.ts';
import { brandsPage } from './brands-page.ts';
import type { BrandsView } from './brands-page.ts';

const BRANDS_PER_PAGE = 100;
const TENANT_ID = new RegExp(TENANT_ID_PATTERN);

export function hubRoutes(app: App, deps: ConsoleDeps): void {
  const { people } = deps;
  const AfterQuery = Type.Object({ after: Type.Optional(Type.String({ maxLength: BRAND_MAX })) });

  app.get(
    HUB,
    { schema: { hide: true, querystring: AfterQuery }, config: { right: 'overview' } },
    async (request, reply) => {
      const { after } = request.query;
      return await sendBrands(deps, { request, reply }, { after });
    },
  );

  addForm(app, {
    path: `${HUB}/invitations`,
    right: 'overview',
    refusals: (words) => ({
      limit_reached: words.people.full,
      conflict: words.brands.hasManager,
    }),
    show: (to, form, status) => sendBrands(deps, to, { form, status }),
    run: async (to, values) => {
      const brand = (values['brand'] ?? '').trim();
      if (!TENANT_ID.test(brand)) {
        const code = brand === '' ? 'required' : 'wrong_form';
        throw fieldsProblem([{ pointer: '/brand', code, limit: null, actual: null }]);
      }
      const { person } = visitorOf(to.request);
      const made = await makeInvitation({ ...people, prefix: CONSOLE }, actorOf(person), {
        place: brandPlace(brand),
        role: 'manager',
        email: textOrNothing(values['email']) ?? null,
      });
      // Not by way of another address: the link stands in this answer and nowhere else.
      return await sendBrands(deps, to, { made });
    },
  });

  peopleRoutes(app, deps, {
    kind: 'hub',
    route: OPERATORS,
    params: {},
    right: 'hub-people',
    placeOf: () => ({ kind: 'hub', id: '' }),
    pathOf: () => OPERATORS,
    nameOf: () => Promise.resolve(undefined),
    wordsOf: ({ operators }) => operators,
    removed: 'operator-removed',
  });
}

async function sendBrands(
  deps: ConsoleDeps,
  to: To,
  changes: Partial<Omit<BrandsView, 'page'>> & {
    readonly after?: string | undefined;
    readonly status?: number;
  },
): Promise<FastifyReply> {
  const reader = consoleReaderOf(to.request, to.reply);
  const { after = '', status = 200, made, form = EMPTY_FORM } = changes;
  const sources = { database: deps.database, people: deps.people.store.reader };
  const page = await listBrands(sources, { after, limit: BRANDS_PER_PAGE });
  const { title } = reader.words.console.brands;
  const body = brandsPage({ page, made, form }, reader);
  return await sendFramed(deps, to, { title, path: HUB, body }, status);
}
