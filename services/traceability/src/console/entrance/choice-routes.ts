// Where people arrive after logging in: in their only brand, or at the choice.
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import type { App } from '../../http.ts';
import { getVisitor } from '../access.ts';
import { choicePage } from './choice-page.ts';
import type { ConsoleDeps } from '../deps.ts';
import { BRAND_TABS, CONSOLE, HUB, brandPath, type BrandTab } from '../paths.ts';
import { namesOfBrands } from '../queries.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';

const OWN = { right: 'own' } as const;

export function choiceRoutes(app: App, deps: ConsoleDeps): void {
  const ChoiceQuery = Type.Object({ choose: Type.Optional(Type.Literal('yes')) });

  app.get(
    CONSOLE,
    { schema: { hide: true, querystring: ChoiceQuery }, config: OWN },
    async (request, reply) => {
      const isAsked = request.query.choose === 'yes';
      return await choose(deps, { request, reply }, { isAsked, tab: undefined });
    },
  );
  // Each page of a brand also has an address without the brand, for links in documents.
  for (const tab of BRAND_TABS) {
    app.get(`${CONSOLE}/${tab}`, { schema: { hide: true }, config: OWN }, (request, reply) =>
      choose(deps, { request, reply }, { isAsked: false, tab }),
    );
  }
}

async function choose(
  deps: ConsoleDeps,
  to: To,
  { isAsked, tab }: { readonly isAsked: boolean; readonly tab: BrandTab | undefined },
): Promise<FastifyReply> {
  const { rights } = getVisitor(to.request);
  const brands = [...rights.brands.keys()];
  const only = brands.length === 1 ? brands[0] : undefined;
  if (!isAsked) {
    if (only !== undefined && (rights.hub === undefined || tab !== undefined)) {
      return await to.reply.redirect(brandPath(only, tab), 303);
    }
    if (brands.length === 0 && rights.hub !== undefined) return await to.reply.redirect(HUB, 303);
  }
  const reader = prepareConsoleReader(to.request, to.reply);
  const names = await namesOfBrands(deps.database, brands);
  const { choice } = reader.words.console;
  return await sendFramed(deps, to, {
    title: choice.title,
    body: choicePage({ rights, names, tab }, reader),
  });
}
