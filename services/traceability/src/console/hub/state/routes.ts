// The page of the state of the hub.
import { Type } from '@lothub/kit/json-schema';
import { readHubState } from '../../../admin/hub-state.ts';
import type { App } from '../../../http.ts';
import { BRAND_MAX } from '../../../web/fragments.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { HUB_STATE } from '../../paths.ts';
import { consoleReaderOf, sendFramed } from '../../send.ts';
import { statePage } from './state-page.ts';

export function hubStateRoutes(app: App, deps: ConsoleDeps): void {
  const AfterQuery = Type.Object({ after: Type.Optional(Type.String({ maxLength: BRAND_MAX })) });

  app.get(
    HUB_STATE,
    { schema: { hide: true, querystring: AfterQuery }, config: { right: 'verifier' } },
    async (request, reply) => {
      const { after = '' } = request.query;
      const reader = consoleReaderOf(request, reply);
      const state = await readHubState({ ...deps, log: deps.store.log }, { after });
      const { title } = reader.words.console.operator;
      const body = statePage(state, reader);
      return await sendFramed(deps, { request, reply }, { title, body });
    },
  );
}
