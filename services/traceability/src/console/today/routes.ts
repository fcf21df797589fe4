// The start page of a brand, with what needs attention now, and the lists of what its checks found.
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { PeopleProblem } from '@lothub/people/errors';
import { OFFSET_MAX, type App } from '../../http.ts';
import { getVisitor } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { prepareConsoleReader, sendFramed } from '../send.ts';
import { HOLD_BREACHES, isListedCheck, readBreaches, readCheck } from './checks.ts';
import { breachesPage, checkPage } from './checks-page.ts';
import { readDay, readSteps } from './read-day.ts';
import { todayPage } from './today-page.ts';

const CHECK_CODE_MAX = 40;
const CheckParams = Type.Object({
  ...BRAND_PARAM,
  check: Type.String({ maxLength: CHECK_CODE_MAX }),
});
const CheckQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: OFFSET_MAX })),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});

export function todayRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    BRAND_ROUTE,
    { schema: { hide: true, params: Type.Object(BRAND_PARAM) }, config: { right: 'read' } },
    async (request, reply) => {
      const { brand } = request.params;
      const { rights } = getVisitor(request);
      const reader = prepareConsoleReader(request, reply);
      const name = await readName(deps, brand);
      const role = present(rights.brands.get(brand), 'the role behind a right');
      const steps = await readSteps(deps, { request, brand, role });
      const day = await readDay(deps, brand);
      const body = todayPage({ name, day, steps }, reader);
      return await sendFramed(deps, { request, reply }, { title: name, brand, body });
    },
  );

  app.get(
    `${BRAND_ROUTE}/checks/:check`,
    {
      schema: { hide: true, params: CheckParams, querystring: CheckQuery },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const { brand, check } = request.params;
      const { offset = 0, before } = request.query;
      const reader = prepareConsoleReader(request, reply);
      const { checks } = reader.words.console.today;
      if (check === HOLD_BREACHES) {
        const body = breachesPage(brand, await readBreaches(deps, { brand, before }), reader);
        const { title } = checks[HOLD_BREACHES];
        return await sendFramed(deps, { request, reply }, { title, brand, body });
      }
      if (!isListedCheck(check)) throw new PeopleProblem('not_found', 'There is no such check');
      const view = await readCheck(deps, { brand, code: check, offset });
      const body = checkPage(brand, { code: check, view }, reader);
      return await sendFramed(
        deps,
        { request, reply },
        { title: checks[check].title, brand, body },
      );
    },
  );
}
