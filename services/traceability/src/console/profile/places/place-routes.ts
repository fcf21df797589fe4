// The places of a brand: list, name, remove.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { textOrNothing } from '@lothub/design/form-values';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import type { FastifyReply } from 'fastify';
import { removePlace, setPlace } from '../../../brand/places.ts';
import { countPlaces, findPlace, placesBehind } from '../../../brand/profiles.ts';
import { PlaceInputSchema, type PlaceInput } from '../../../brand/schema.ts';
import type { App } from '../../../http.ts';
import { inLanguages } from '../../../lots/profiles/brand-texts.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../../brand/brand.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addForm, checkInput, type SayFault } from '../../forms.ts';
import { param } from '../../params.ts';
import { brandPath } from '../../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { readNameFields, sayNameFault } from '../names-form.ts';
import { placePage } from './place-page.ts';
import { placesPage } from './places-page.ts';
import {
  CodeText,
  ListQuery,
  SubjectQuery,
  buildAuditPath,
  changeBy,
  isAllowed,
  redirectDone,
  roleFor,
  roomView,
  saidDigit,
} from '../room-view.ts';
import type { ListChanges } from '../room-view.ts';
import { searchProfiles } from '../search.ts';
import { codePath } from '../profile-list.ts';
import { readProfileHistory } from '../profile-history.ts';
import { unnamedLocations } from '../unnamed.ts';

const ROUTE = `${BRAND_ROUTE}/places`;
const PLACE_ROUTE = `${ROUTE}/:location`;
const PlaceParams = Type.Object({ ...BRAND_PARAM, location: CodeText });
const PLACES_PER_PAGE = 50;
const checkPlace = compileValueSchema<PlaceInput>(PlaceInputSchema);

/** Content of the page of a place that is not stored. */
interface Changes {
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  readonly before?: number | undefined;
  readonly form?: FormState;
}

export function placeRoutes(app: App, deps: ConsoleDeps): void {
  const show = (to: To, changes: Changes, status: number) => sendPlace(deps, to, changes, status);

  app.get(
    ROUTE,
    {
      schema: { hide: true, params: Type.Object(BRAND_PARAM), querystring: ListQuery },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const code = textOrNothing(request.query.open)?.trim();
      const to = { request, reply };
      if (code === undefined) return await sendPlaces(deps, to, request.query);
      return await reply.redirect(codePath(brandPath(getBrand(to), 'places'), code), 303);
    },
  );

  app.get(
    PLACE_ROUTE,
    {
      schema: { hide: true, params: PlaceParams, querystring: SubjectQuery },
      config: { right: 'read' },
    },
    async (request, reply) => await show({ request, reply }, request.query, 200),
  );

  addForm(app, {
    path: PLACE_ROUTE,
    right: 'places',
    params: PlaceParams,
    refusals: ({ profile }) => ({ rule_broken: profile.faults.full }),
    sayFault,
    show: (to, form, status) => show(to, { form }, status),
    run: async (to, values) => {
      const text = (name: string): string | null => textOrNothing(values[name])?.trim() ?? null;
      const name = text('name');
      const input = checkInput(checkPlace, {
        ...(name === null ? {} : { name }),
        address: text('address'),
        gln: text('gln')?.replaceAll(/\s/g, '') ?? null,
        time_zone: text('time_zone'),
        language: text('language'),
        names: readNameFields(values),
      });
      const outcome = await setPlace(deps, readPlace(to), input);
      const done = outcome === 'unchanged' ? 'nothing-changed' : 'place-saved';
      return await redirectDone(to, placePath(to), done);
    },
  });

  addForm(app, {
    path: `${PLACE_ROUTE}/remove`,
    right: 'places',
    params: PlaceParams,
    show: (to, { problem }, status) => show(to, { problem }, status),
    run: async (to) => {
      await removePlace(deps, readPlace(to));
      return await redirectDone(to, brandPath(getBrand(to), 'places'), 'place-removed');
    },
  });
}

function readPlace(to: To) {
  return { ...changeBy(to), location: present(param(to, 'location'), 'the location of a page') };
}

function placePath(to: To): string {
  return codePath(brandPath(getBrand(to), 'places'), readPlace(to).location);
}

const sayFault: SayFault = (fault, reader) => {
  if (fault.loc.at(-1) !== 'gln') return sayNameFault(fault, reader);
  return { name: 'gln', words: reader.words.console.profile.faults.glnForm };
};

async function sendPlaces(
  deps: ConsoleDeps,
  to: To,
  { q: typed, after, done }: ListChanges,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const { database } = deps;
  const reader = prepareConsoleReader(to.request, to.reply);
  const q = textOrNothing(typed);
  const found = await searchProfiles(
    { q, after, limit: PLACES_PER_PAGE },
    {
      read: (behind, limit) => placesBehind(database, { tenantId: brand, after: behind, limit }),
      getKey: ({ location }) => location,
      listTexts: (row) => [
        row.location,
        row.name,
        row.address,
        row.gln,
        ...Object.values(inLanguages(row).names ?? {}),
      ],
    },
  );
  const mayEdit = isAllowed(to, 'places');
  const body = placesPage(
    {
      ...(await roomView(deps, to, { done })),
      path: brandPath(brand, 'places'),
      q,
      places: found.rows,
      next: found.next,
      total: await countPlaces(database, brand),
      mayEdit,
      unnamed: mayEdit ? await unnamedLocations(deps.reader, brand) : [],
    },
    reader,
  );
  const title = reader.words.console.profile.tabs.places;
  return await sendFramed(deps, to, { title, brand, body });
}

async function sendPlace(
  deps: ConsoleDeps,
  to: To,
  changes: Changes,
  status: number,
): Promise<FastifyReply> {
  const { tenantId: brand, location } = readPlace(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const subject = { tenantId: brand, subject: `place:${location}`, entityId: location };
  const body = placePage(
    {
      ...(await roomView(deps, to, changes)),
      location,
      place: await findPlace(deps.database, { tenantId: brand, location }),
      mayEdit: isAllowed(to, 'places'),
      form: saidDigit(changes.form ?? EMPTY_FORM, 'gln', reader),
      history: await readProfileHistory(deps.reader, subject, changes.before),
      auditPath: buildAuditPath(brand, 'place', location),
      manager: roleFor('places', reader),
    },
    reader,
  );
  return await sendFramed(deps, to, { title: location, path: placePath(to), brand, body }, status);
}
