// The pages of those who operate the hub: its brands, and who operates it.
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import { textOrNothing } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { toActor } from '@lothub/people/access/person';
import { listFirstInvitations } from '@lothub/people/invitations/first-invitations';
import { makeInvitation, withdrawInvitation } from '@lothub/people/invitations/invitations';
import { present } from '@lothub/kit/present';
import { brandPlace } from '@lothub/people/places/place';
import type { FastifyReply } from 'fastify';
import { readHubState } from '../../admin/hub-state.ts';
import type { App } from '../../http.ts';
import { BRAND_MAX } from '../../web/fragments.ts';
import { getVisitor } from '../access.ts';
import type { ConsoleDeps } from '../deps.ts';
import { doneWords, withDone } from '../done.ts';
import { addForm } from '../forms.ts';
import { param } from '../params.ts';
import { CONSOLE, HUB, HUB_STATE, OPERATORS } from '../paths.ts';
import { peopleRoutes } from '../people/routes.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { readBrandId } from './brand-id.ts';
import { listBrands } from './brands.ts';
import { brandsPage, type BrandsView } from './brands-page.ts';
import { hubKeyRoutes } from './keys/routes.ts';
import { statePage } from './state/state-page.ts';

const BRANDS_PER_PAGE = 100;
const INVITATIONS_PER_PAGE = 50;
const ID_MAX = 64;
const IdText = Type.String({ minLength: 1, maxLength: ID_MAX });

export function hubRoutes(app: App, deps: ConsoleDeps): void {
  const { people } = deps;
  const AfterQuery = Type.Object({
    after: Type.Optional(Type.String({ maxLength: BRAND_MAX })),
    invited_after: Type.Optional(IdText),
    done: Type.Optional(Type.String()),
  });

  app.get(
    HUB,
    { schema: { hide: true, querystring: AfterQuery }, config: { right: 'overview' } },
    async (request, reply) => {
      const { after, invited_after: invitedAfter, done: mark } = request.query;
      const { words } = prepareConsoleReader(request, reply);
      const done = doneWords(mark, words.console);
      return await sendBrands(deps, { request, reply }, { after, invitedAfter, done });
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
      const brand = readBrandId(values);
      const { person } = getVisitor(to.request);
      const made = await makeInvitation({ ...people, prefix: CONSOLE }, toActor(person), {
        place: brandPlace(brand),
        role: 'manager',
        email: textOrNothing(values['email']) ?? null,
      });
      // This is no redirect: only this answer has the link.
      return await sendBrands(deps, to, { made });
    },
  });

  hubStateRoutes(app, deps);
  hubKeyRoutes(app, deps);

  addForm(app, {
    path: `${HUB}/invitations/:invitation_id/withdraw`,
    right: 'overview',
    params: Type.Object({ invitation_id: IdText }),
    refusals: (words) => ({ conflict: words.brands.hasManager }),
    show: (to, { problem, errors }, status) =>
      sendBrands(deps, to, { problem: problem ?? Object.values(errors)[0], status }),
    run: async (to, values) => {
      await withdrawInvitation(people, toActor(getVisitor(to.request).person), {
        place: brandPlace(values['brand'] ?? ''),
        id: present(param(to, 'invitation_id'), 'the id of an invitation'),
      });
      return await to.reply.redirect(withDone(HUB, 'invitation-revoked'), 303);
    },
  });

  peopleRoutes(app, deps, {
    kind: 'hub',
    route: OPERATORS,
    params: {},
    right: 'hub-people',
    toPlace: () => ({ kind: 'hub', id: '' }),
    buildPath: () => OPERATORS,
    readName: () => Promise.resolve(undefined),
    chooseWords: ({ operators }) => operators,
    removed: 'operator-removed',
  });
}

async function sendBrands(
  deps: ConsoleDeps,
  to: To,
  changes: Partial<Omit<BrandsView, 'page' | 'invitations'>> & {
    readonly after?: string | undefined;
    readonly invitedAfter?: string | undefined;
    readonly status?: number;
  },
): Promise<FastifyReply> {
  const reader = prepareConsoleReader(to.request, to.reply);
  const { after = '', invitedAfter, status = 200, made, form = EMPTY_FORM } = changes;
  const { done, problem } = changes;
  const sources = { database: deps.database, people: deps.people.store.reader };
  const page = await listBrands(sources, { after, limit: BRANDS_PER_PAGE });
  const { title } = reader.words.console.brands;
  const actor = toActor(getVisitor(to.request).person);
  const ofPage = { after: invitedAfter, limit: INVITATIONS_PER_PAGE };
  const invitations = await listFirstInvitations(deps.people, actor, ofPage);
  const body = brandsPage({ page, invitations, made, form, done, problem }, reader);
  return await sendFramed(deps, to, { title, path: HUB, body }, status);
}

/** The page of the state of the hub. */
function hubStateRoutes(app: App, deps: ConsoleDeps): void {
  const AfterQuery = Type.Object({ after: Type.Optional(Type.String({ maxLength: BRAND_MAX })) });

  app.get(
    HUB_STATE,
    { schema: { hide: true, querystring: AfterQuery }, config: { right: 'verifier' } },
    async (request, reply) => {
      const { after = '' } = request.query;
      const reader = prepareConsoleReader(request, reply);
      const state = await readHubState({ ...deps, log: deps.store.log }, { after });
      const { title } = reader.words.console.operator;
      const body = statePage(state, reader);
      return await sendFramed(deps, { request, reply }, { title, body });
    },
  );
}
