// The lots of a case: the list by the filters in its address, and changing the scope by hand.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import { askTogether } from '@lothub/kit/database';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { FastifyReply } from 'fastify';
import { FieldsRefusal } from '../../errors.ts';
import { callerOfPerson, type App } from '../../http.ts';
import { lotItems } from '../../lots/record.ts';
import { findLot } from '../../lots/queries.ts';
import { countScope } from '../../recall/case/rows.ts';
import { CASE_REASON_MAX } from '../../recall/case/text-limits.ts';
import { editCase } from '../../recall/edit/edit-case.ts';
import { pageOfLotsByHand } from '../../recall/edit/answers.ts';
import type { Reader } from '../../web/words/reader.ts';
import { getVisitor } from '../access.ts';
import { getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { casePagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { CASE_PARAMS, CASE_ROUTE, getCaseNo, readShownCase } from './case.ts';
import { FormTexts } from './form-texts.ts';
import { SCOPE_PARTS, searchScope, type ScopePart } from './queries.ts';
import { scopePage } from './scope-page.ts';

const LOTS_PER_PAGE = 50;
/** Lots added and excluded by hand that are shown, of each. */
const BY_HAND_MAX = 50;
/** Characters of a list of codes: thousands of lots are for the interface. */
const CODES_CHARS_MAX = 20_000;
/** Two such lists and a reason; as forms are sent a character takes up to 9 bytes. */
const FORM_BYTES_MAX = 524_288;
/** Codes that a message names. */
const CODES_NAMED_MAX = 5;
const TEXT_MAX = 200;

interface Asked {
  readonly which: ScopePart;
  readonly q: string | undefined;
  readonly after: string | undefined;
}

const FIRST_PAGE: Asked = { which: 'covered', q: undefined, after: undefined };

export function scopeRoutes(app: App, deps: ConsoleDeps): void {
  const path = `${CASE_ROUTE}/scope`;
  const params = Type.Object(CASE_PARAMS);
  const Text = Type.Optional(Type.String({ maxLength: TEXT_MAX }));

  app.get(
    path,
    {
      schema: {
        hide: true,
        params,
        querystring: Type.Object({
          which: Type.Optional(Type.Enum(['', ...SCOPE_PARTS])),
          q: Text,
          after: Text,
          done: Text,
        }),
      },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const { which, q, after, done } = request.query;
      const { words } = prepareConsoleReader(request, reply);
      const asked = {
        which: SCOPE_PARTS.find((part) => part === which) ?? 'covered',
        q: q?.trim() === '' ? undefined : q?.trim(),
        after,
      };
      const shown = { form: EMPTY_FORM, done: doneWordsIn(words.console.cases.done, done) };
      return await show({ request, reply }, asked, { ...shown, status: 200 });
    },
  );

  addForm(app, {
    path,
    right: 'recall',
    params,
    bodyLimit: FORM_BYTES_MAX,
    refusals: ({ cases }) => ({ rule_broken: cases.refusals.ended }),
    show: (to, form, status) => show(to, FIRST_PAGE, { form, done: undefined, status }),
    run: async (to, values) => {
      const reader = prepareConsoleReader(to.request, to.reply);
      const texts = new FormTexts(values);
      const add = codesIn(texts.optional('add', CODES_CHARS_MAX));
      const exclude = codesIn(texts.optional('exclude', CODES_CHARS_MAX));
      const reason = texts.required('reason', CASE_REASON_MAX);
      texts.check();
      const brand = getBrand(to);
      const caseNo = getCaseNo(to);
      try {
        const { block } = await editCase(deps, {
          tenantId: brand,
          caseNo,
          edit: { scope: { add, exclude, reason } },
          caller: callerOfPerson(to.request, getVisitor(to.request).person),
        });
        const done = block === undefined ? 'unchanged' : 'scope-changed';
        return await to.reply.redirect(withDone(casePagePath(brand, caseNo, 'scope'), done), 303);
      } catch (error) {
        if (!(error instanceof FieldsRefusal)) throw error;
        const errors = listErrors(error, { add, exclude }, reader);
        const form = { values, errors, problem: undefined };
        return await show(to, FIRST_PAGE, { form, done: undefined, status: 422 });
      }
    },
  });

  async function show(
    to: To,
    asked: Asked,
    shown: {
      readonly form: FormState;
      readonly done: string | undefined;
      readonly status: number;
    },
  ): Promise<FastifyReply> {
    const { database } = deps;
    const { which, q, after } = asked;
    const shownCase = await readShownCase(deps, to);
    const { brand, recallCase } = shownCase;
    const { caseId, caseNo, title } = recallCase;
    const behind =
      after === undefined
        ? undefined
        : await findLot(database, { tenantId: brand, lotCode: after });
    const byHand = { tenantId: brand, recallCase, after: undefined, limit: BY_HAND_MAX };
    const [rows, counts] = await askTogether(database, (one) =>
      Promise.all([
        searchScope(one, {
          ...{ caseId, part: which, text: q },
          above: behind?.lotNo ?? 0,
          limit: LOTS_PER_PAGE + 1,
        }),
        countScope(one, recallCase),
      ]),
    );
    const { rows: lots, last } = cutPage(rows, LOTS_PER_PAGE);
    const items = await lotItems(
      database,
      lots.map(({ lotNo }) => lotNo),
    );
    const itemOf = new Map(items.map((item) => [item.lot_code, item]));
    const reader = prepareConsoleReader(to.request, to.reply);
    const body = scopePage(
      {
        ...shownCase,
        filter: { which, q },
        after,
        lots: lots.map((lot) => ({
          ...lot,
          quantities: present(itemOf.get(lot.lotCode), 'what is known of a lot').quantities,
        })),
        next: last?.lotCode,
        counts,
        byHand: {
          added: (await pageOfLotsByHand(database, { ...byHand, said: 'added' })).lots,
          excluded: (await pageOfLotsByHand(database, { ...byHand, said: 'excluded' })).lots,
        },
        form: shown.form,
        done: shown.done,
      },
      reader,
    );
    const { lots: name } = reader.words.console.cases;
    const path = casePagePath(brand, caseNo, 'scope');
    return await sendFramed(
      deps,
      to,
      { title: `${name} · ${caseNo} ${title}`, path, brand, body },
      shown.status,
    );
  }
}

/** One code a line. */
function codesIn(text: string | undefined): string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What is wrong with the lists of codes, in the words of the page. */
function listErrors(
  { fields }: FieldsRefusal,
  lists: Readonly<Record<'add' | 'exclude', readonly string[]>>,
  { words, formats }: Reader,
): Record<string, string> {
  const { scope } = words.console.cases;
  if (lists.add.length + lists.exclude.length === 0) return { add: scope.oneNeeded };
  const errors: Record<string, string> = {};
  for (const name of ['add', 'exclude'] as const) {
    const wrong = fields.filter(({ loc }) => loc.includes(name));
    if (wrong.length === 0) continue;
    const all = [...lists.add, ...lists.exclude];
    const isTwice = new Set(all).size < all.length;
    const codes = wrong.flatMap(({ loc }) => lists[name][Number(loc.at(-1))] ?? []);
    errors[name] = isTwice
      ? scope.twice
      : scope.unknown(formats.list(codes.slice(0, CODES_NAMED_MAX)));
  }
  return Object.keys(errors).length === 0 ? { add: scope.twice } : errors;
}
