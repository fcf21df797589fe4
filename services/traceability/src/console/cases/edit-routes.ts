// Edits the texts of a case by the rules of the interface. The form sends the texts that its reader saw, so
// that nobody overwrites a change without having seen it.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { withDone } from '@lothub/design/done-mark';
import type { FormValues } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { LANGUAGES } from '@lothub/languages';
import type { FastifyReply } from 'fastify';
import { callerOfPerson, type App } from '../../http.ts';
import type { CaseTexts } from '../../ledger/record/decisions/contents.ts';
import { TAG_CHARS_MAX } from '../../lots/profiles/language-tag.ts';
import { CASE_REASON_MAX, CASE_TITLE_MAX } from '../../recall/case/text-limits.ts';
import { readTimeline } from '../../recall/case/timeline.ts';
import { editCase, listTexts, type CaseEditing } from '../../recall/edit/edit-case.ts';
import { computeMark } from '../../recall/seen.ts';
import { SEVERITIES } from '../../terms.ts';
import { getVisitor } from '../access.ts';
import { getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { casePagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { CASE_PARAMS, CASE_ROUTE, getCaseNo, readShownCase } from './case.ts';
import { TRANSLATED, editPage, translatedName, type Translated } from './edit-page.ts';
import { FormTexts } from './form-texts.ts';

export function editRoutes(app: App, deps: ConsoleDeps): void {
  const path = `${CASE_ROUTE}/edit`;
  const params = Type.Object(CASE_PARAMS);

  app.get(
    path,
    { schema: { hide: true, params }, config: { right: 'recall' } },
    async (request, reply) => await show({ request, reply }, EMPTY_FORM, 200),
  );

  addForm(app, {
    path,
    right: 'recall',
    params,
    // The page says why, in `show`.
    refusals: () => ({ rule_broken: '' }),
    show,
    run: async (to, values) => {
      const brand = getBrand(to);
      const caseNo = getCaseNo(to);
      const { block } = await editCase(deps, {
        tenantId: brand,
        caseNo,
        edit: readEdit(values),
        seen: values['seen'] ?? '',
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
      });
      const done = block === undefined ? 'unchanged' : 'edited';
      return await to.reply.redirect(withDone(casePagePath(brand, caseNo), done), 303);
    },
  });

  async function show(to: To, form: FormState, status: number): Promise<FastifyReply> {
    const reader = prepareConsoleReader(to.request, to.reply);
    const shownCase = await readShownCase(deps, to);
    const { brand, recallCase } = shownCase;
    const { refusals, edit } = reader.words.console.cases;
    const { seen } = form.values;
    const hasEnded = recallCase.endedAt !== null;
    const isElsewhere = seen !== undefined && seen !== computeMark(listTexts(recallCase));
    const problem = hasEnded ? refusals.ended : isElsewhere ? refusals.edited : form.problem;
    const isRefused = form.problem === '' || isElsewhere;
    const { steps } = await readTimeline(deps.database, recallCase.caseId);
    const body = editPage(
      {
        ...shownCase,
        form: { ...form, problem: isRefused ? problem : form.problem },
        edits: steps.filter(({ edited }) => edited !== undefined).toReversed(),
      },
      reader,
    );
    const { caseNo, title } = recallCase;
    return await sendFramed(
      deps,
      to,
      {
        title: `${edit} · ${caseNo} ${title}`,
        path: casePagePath(brand, caseNo, 'edit'),
        brand,
        body,
      },
      isElsewhere ? 409 : status,
    );
  }
}

/** @throws PeopleProblem `fields_invalid` */
function readEdit(values: FormValues): CaseEditing['edit'] {
  const texts = new FormTexts(values);
  const title = texts.required('title', CASE_TITLE_MAX);
  const reason = texts.required('reason', CASE_REASON_MAX);
  const severity = texts.oneOf('severity', SEVERITIES);
  const language = texts.optional('language', TAG_CHARS_MAX) ?? null;
  const note = texts.optional('note', CASE_REASON_MAX) ?? null;
  const translations = Object.fromEntries(
    LANGUAGES.flatMap((one) => {
      const translation = translationIn(texts, one);
      return Object.keys(translation).length === 0 ? [] : [[one, translation] as const];
    }),
  );
  texts.check();
  return {
    ...{ title, reason, language, translations, note },
    ...(severity === undefined ? {} : { severity }),
  };
}

function translationIn(texts: FormTexts, language: string): CaseTexts {
  const names: readonly Translated[] = ['title', 'reason', 'advice'];
  return Object.fromEntries(
    names.flatMap((one) => {
      const text = texts.optional(translatedName(language, one), TRANSLATED[one]);
      return text === undefined ? [] : [[one, text] as const];
    }),
  );
}
