// Who is in a brand.
import type { App } from '../../http.ts';
import type { ConsoleDeps } from '../deps.ts';
import { brandPath } from '../paths.ts';
import { peopleRoutes } from '../people/routes.ts';
import { BRAND_PARAM, BRAND_ROUTE, brandOf, nameOf } from './brand.ts';

export function brandRoutes(app: App, deps: ConsoleDeps): void {
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
