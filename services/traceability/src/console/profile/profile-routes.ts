// The profile of a brand: what consumers read of it, a preview of what was typed, and saving it.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import { EMPTY_PROFILE, changeBrand, readBrand } from '../../brand/change-brand.ts';
import { findBrand } from '../../brand/profiles.ts';
import { BrandInputSchema, type BrandInput } from '../../brand/schema.ts';
import type { BrandFields } from '../../brand/state.ts';
import type { App } from '../../http.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm, checkInput, type SayFault } from '../forms.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { exampleLot } from './example-lot.ts';
import { readNameFields, sayNameFault } from './names-form.ts';
import { profilePage } from './profile-page.ts';
import {
  SubjectQuery,
  buildAuditPath,
  changeBy,
  isAllowed,
  redirectDone,
  roleFor,
  roomView,
} from './room-view.ts';
import { readProfileHistory } from './profile-history.ts';

const ROUTE = `${BRAND_ROUTE}/profile`;
const checkBrand = compileValueSchema<BrandInput>(BrandInputSchema);

interface Changes {
  readonly done?: string | undefined;
  readonly before?: number | undefined;
  readonly form?: FormState;
  /** The typed values, for a preview. */
  readonly typed?: BrandFields;
}

export function profileRoutes(app: App, deps: ConsoleDeps): void {
  app.get(
    ROUTE,
    {
      schema: { hide: true, params: Type.Object(BRAND_PARAM), querystring: SubjectQuery },
      config: { right: 'read' },
    },
    async (request, reply) => await sendProfile(deps, { request, reply }, request.query, 200),
  );

  addForm(app, {
    path: ROUTE,
    right: 'brand',
    params: Type.Object(BRAND_PARAM),
    sayFault,
    show: (to, form, status) => sendProfile(deps, to, { form }, status),
    run: async (to, values) => {
      const input = readInput(values);
      if (values['do'] === 'preview') {
        const typed = { ...EMPTY_PROFILE, ...readBrand(input) };
        const form = { values, errors: {}, problem: undefined };
        return await sendProfile(deps, to, { form, typed }, 200);
      }
      const outcome = await changeBrand(deps, changeBy(to), input);
      const done = outcome === 'changed' ? 'brand-saved' : 'nothing-changed';
      return await redirectDone(to, brandPath(getBrand(to), 'profile'), done);
    },
  });
}

const sayFault: SayFault = (fault, reader) => {
  if (fault.loc.at(-1) !== 'website') return sayNameFault(fault, reader);
  return { name: 'website', words: reader.words.console.profile.faults.website };
};

/** @throws FieldsRefusal */
function readInput(values: FormValues): BrandInput {
  const text = (name: string): string | null => textOrNothing(values[name])?.trim() ?? null;
  return checkInput(checkBrand, {
    name: text('name'),
    website: text('website'),
    recall_contact: text('recall_contact'),
    language: text('language'),
    names: readNameFields(values),
  });
}

async function sendProfile(
  deps: ConsoleDeps,
  to: To,
  changes: Changes,
  status: number,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const found = await findBrand(deps.database, brand);
  const stored = found ?? EMPTY_PROFILE;
  const subject = { tenantId: brand, subject: 'brand', entityId: brand };
  const body = profilePage(
    {
      ...(await roomView(deps, to, changes)),
      mayEdit: isAllowed(to, 'brand'),
      stored,
      shown: changes.typed ?? stored,
      isPreview: changes.typed !== undefined,
      block:
        found === undefined || found.height === null
          ? undefined
          : { height: found.height, hash: found.hash, at: found.updated_at },
      lot: await exampleLot(deps, { tenantId: brand }),
      form: changes.form ?? EMPTY_FORM,
      history: await readProfileHistory(deps.reader, subject, changes.before),
      auditPath: buildAuditPath(brand, 'brand', brand),
      manager: roleFor('brand', reader),
    },
    reader,
  );
  const { title } = reader.words.console.profile;
  const path = brandPath(brand, 'profile');
  return await sendFramed(deps, to, { title, path, brand, body }, status);
}
