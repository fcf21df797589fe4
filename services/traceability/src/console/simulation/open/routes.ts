// Opening a case in two steps: a form whose answer is a preview, and the button of the preview that opens the
// case. In between all values are in the forms: the server stores nothing, and a refusal loses nothing.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { withDone } from '@lothub/design/done-mark';
import { shownValues, type FormValues } from '@lothub/design/form-values';
import { instantText } from '@lothub/kit/clock';
import { Type } from '@lothub/kit/json-schema';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { PeopleProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../../../errors.ts';
import { callerOfPerson, type App } from '../../../http.ts';
import { wordingText } from '../../../ledger/record/decisions/wording.ts';
import { readPlannedNotice } from '../../../lots/notices/planned.ts';
import { findBrandOfNotices } from '../../../lots/notices/queries.ts';
import { toPublicBrand } from '../../../lots/profiles/brand-texts.ts';
import { CaseOpener } from '../../../recall/case/open-case.ts';
import { findPlanChanges } from '../../../recall/case/plan/plan-changes.ts';
import { markOfPlan, planCase, type PlannedCase } from '../../../recall/case/plan/plan-case.ts';
import { openCasesOnSeed } from '../../../recall/case/rows.ts';
import { wordingAfter } from '../../../recall/case/wording.ts';
import { UNCLASSIFIED } from '../../../terms.ts';
import { findSeed } from '../../../recall/trace/impact.ts';
import { getVisitor, mayIn } from '../../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../../brand/brand.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addForm } from '../../forms.ts';
import { brandPath, casePagePath } from '../../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { ASKED_QUERY, askedPath, readAsked, type Asked } from '../asked.ts';
import { findMisplaced, readCaseForm, type CaseFormRequest } from './case-form.ts';
import { caseFormPage } from './form-page.ts';
import { previewPage, type PreviewView, type SeenChange } from './preview-page.ts';

const ROUTE = `${BRAND_ROUTE}/simulation`;
const RIGHT = 'recall';
const PARAMS = Type.Object(BRAND_PARAM);
/** Other open cases on the same lot that a preview names. */
const NAMED_CASES_MAX = 10;

/**
 * Fields about the preview that was seen: its newest block, and marks of what the case does and of what
 * consumers read.
 */
const SEEN = ['seen_height', 'seen_plan', 'seen_notice'] as const;

export function openingRoutes(app: App, deps: ConsoleDeps): void {
  const { store, reader, clock } = deps;
  const opener = new CaseOpener({ store, reader, clock });

  app.get(
    `${ROUTE}/open`,
    {
      schema: { hide: true, params: PARAMS, querystring: Type.Object(ASKED_QUERY) },
      config: { right: RIGHT },
    },
    async (request, reply) => {
      const to = { request, reply };
      const brand = getBrand(to);
      const asked = findAsked(request.query);
      // The page of the simulation says what cannot be simulated.
      if (asked === undefined || !(await isKnown(deps, brand, asked))) {
        const path = brandPath(brand, 'simulation');
        return await reply.redirect(asked === undefined ? path : askedPath(brand, asked), 303);
      }
      return await sendForm(deps, to, { ...EMPTY_FORM, values: request.query }, 200);
    },
  );

  addForm(app, {
    path: `${ROUTE}/preview`,
    right: RIGHT,
    params: PARAMS,
    show: (to, form, status) => sendForm(deps, to, form, status),
    run: async (to, values) => {
      const { words } = prepareConsoleReader(to.request, to.reply);
      const errors = findMisplaced(values, words.console.opening);
      if (Object.keys(errors).length > 0) {
        const form = { values: shownValues(values), errors, problem: undefined };
        return await sendForm(deps, to, form, 422);
      }
      return await sendPreview(deps, to, { values, change: undefined, problem: undefined }, 200);
    },
  });

  addForm(app, {
    path: `${ROUTE}/edit`,
    right: RIGHT,
    params: PARAMS,
    show: (to, form, status) => sendForm(deps, to, form, status),
    run: (to, values) => sendForm(deps, to, { ...EMPTY_FORM, values }, 200),
  });

  addForm(app, {
    path: `${ROUTE}/case`,
    right: RIGHT,
    params: PARAMS,
    show: async (to, form, status) => {
      const { values, errors, problem } = form;
      if (Object.keys(errors).length > 0) return await sendForm(deps, to, form, status);
      return await sendPreview(deps, to, { values, change: undefined, problem }, status);
    },
    run: async (to, values) => {
      const tenantId = getBrand(to);
      const request = readCaseForm(values);
      const caller = callerOfPerson(to.request, getVisitor(to.request).person);
      const opened = await opener.openAsSeen({ tenantId, caller, request }, async (plan) =>
        isAsSeen(values, await readSeen(deps, { tenantId, request, plan })),
      );
      if (opened === undefined) {
        const change = { kind: 'unlisted' } as const;
        return await sendPreview(deps, to, { values, change, problem: undefined }, 409);
      }
      const path = casePagePath(tenantId, opened.recallCase.caseNo);
      return await to.reply.redirect(withDone(path, 'opened'), 303);
    },
  });
}

function findAsked(values: FormValues): Asked | undefined {
  try {
    // A case begins now, also if a past moment was simulated.
    const asked = readAsked(values);
    return asked && { ...asked, asOf: undefined };
  } catch (error) {
    if (error instanceof PeopleProblem) return undefined;
    throw error;
  }
}

async function isKnown(
  { database }: Pick<ConsoleDeps, 'database'>,
  tenantId: string,
  { lotCode, supplierName }: Asked,
): Promise<boolean> {
  try {
    return (await findSeed(database, { tenantId, lotCode, supplierName })) !== undefined;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function sendForm(
  deps: ConsoleDeps,
  to: To,
  form: FormState,
  status: number,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const asked = findAsked(form.values);
  if (asked === undefined) return await to.reply.redirect(brandPath(brand, 'simulation'), 303);
  const row = await findBrandOfNotices(deps.database, brand);
  const names = row === undefined ? {} : (toPublicBrand(row).names ?? {});
  const body = caseFormPage(
    {
      ...{ brand, asked, form },
      profile: {
        contact: row?.recallContact ?? null,
        language: row?.brandLanguage ?? null,
        languages: Object.keys(names),
      },
      mayEditBrand: mayIn(to.request, brand, 'brand'),
    },
    reader,
  );
  const { title } = reader.words.console.opening;
  return await sendFramed(deps, to, { title, brand, body, ...ownPath(to, brand, asked) }, status);
}

/** Returns the path for the other languages of a page that answers a form: the form's own address. */
function ownPath({ request }: To, brand: string, asked: Asked): { readonly path?: string } {
  return request.method === 'GET' ? {} : { path: askedPath(brand, asked, '/open') };
}

async function sendPreview(
  deps: ConsoleDeps,
  to: To,
  preview: {
    readonly values: FormValues;
    readonly change: SeenChange | undefined;
    readonly problem: string | undefined;
  },
  status: number,
): Promise<FastifyReply> {
  const { values, problem } = preview;
  const brand = getBrand(to);
  const asked = findAsked(values);
  const request = readCaseForm(values);
  if (asked === undefined) return await to.reply.redirect(brandPath(brand, 'simulation'), 303);
  const reader = prepareConsoleReader(to.request, to.reply);
  const plan = await planCase(deps, { tenantId: brand, request });
  const seen = await readSeen(deps, { tenantId: brand, request, plan });
  const view: PreviewView = {
    ...{ brand, asked, request, plan, problem },
    typed: pickTyped(values),
    notice: seen.notice,
    alreadyOpen: await openCasesOnSeed(deps.database, {
      tenantNo: plan.tenantNo,
      seedLotCode: asked.lotCode,
      limit: NAMED_CASES_MAX,
    }),
    seen: seen.fields,
    change: preview.change && (await changeSince(deps, { brand, values, request, plan })),
    mayEditBrand: mayIn(to.request, brand, 'brand'),
  };
  const { previewTitle: title } = reader.words.console.opening;
  const body = previewPage(view, reader);
  return await sendFramed(deps, to, { title, brand, body, ...ownPath(to, brand, asked) }, status);
}

/** Returns the typed values without the fields about the preview that was seen. */
function pickTyped(values: FormValues): FormValues {
  const seen: readonly string[] = SEEN;
  return Object.fromEntries(
    Object.entries(shownValues(values)).filter(([name]) => !seen.includes(name)),
  );
}

async function readSeen(
  deps: ConsoleDeps,
  planned: {
    readonly tenantId: string;
    readonly request: CaseFormRequest;
    readonly plan: PlannedCase;
  },
): Promise<{ readonly notice: PreviewView['notice']; readonly fields: FormValues }> {
  const { tenantId, request, plan } = planned;
  const { impact, opened } = plan;
  const at = instantText(deps.clock.nowMs());
  const notice = await readPlannedNotice(deps, {
    ...{ tenantId, at, lots: impact.lots },
    caseNo: '…',
    title: request.title,
    reason: request.reason,
    wording: wordingText(wordingAfter({}, request)),
    severity: request.severity ?? UNCLASSIFIED,
    seedLotCode: request.seed_lot_code,
    coversSeed: plan.seedLotNo === null ? 0 : 1,
  });
  const read = { ...notice, notice: { ...notice.notice, opened_at: '', updated_at: '' } };
  return {
    notice,
    fields: {
      seen_height: String(opened.openedHeight),
      seen_plan: markOfPlan(plan),
      seen_notice: sha256Hex(JSON.stringify(read)),
    },
  };
}

function isAsSeen(values: FormValues, { fields }: { readonly fields: FormValues }): boolean {
  return (
    values['seen_plan'] === fields['seen_plan'] && values['seen_notice'] === fields['seen_notice']
  );
}

/** What has changed since the preview that was seen, as far as that can be found out. */
async function changeSince(
  { reader }: Pick<ConsoleDeps, 'reader'>,
  planned: {
    readonly brand: string;
    readonly values: FormValues;
    readonly request: CaseFormRequest;
    readonly plan: PlannedCase;
  },
): Promise<SeenChange> {
  const { brand: tenantId, values, request, plan } = planned;
  const height = Number(values['seen_height'] ?? '');
  const isHeight = Number.isSafeInteger(height) && height >= 0;
  if (!isHeight || height > plan.opened.openedHeight) return { kind: 'unlisted' };
  try {
    const changes = await findPlanChanges(reader, { tenantId, request, height }, plan);
    return { kind: 'listed', changes };
  } catch (error) {
    // Too much was corrected, or the brand of a lot became known since.
    if (error instanceof Refusal) return { kind: 'unlisted' };
    throw error;
  }
}
