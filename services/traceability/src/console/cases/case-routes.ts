// The page of a recall case, and its moves. The form sends the state that its reader saw: if two people move
// a case at the same time, the second one is shown the new state.
import { EMPTY_FORM, TICKED, type FormState } from '@lothub/design/desk-parts';
import { withDone } from '@lothub/design/done-mark';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply } from 'fastify';
import { callerOfPerson, type App } from '../../http.ts';
import { moveCase } from '../../recall/case/move-case.ts';
import { CASE_REASON_MAX } from '../../recall/case/text-limits.ts';
import type { KeptReach } from '../../recall/outbox/kept-reach.ts';
import { computeMark } from '../../recall/seen.ts';
import { CANCELLED, CASE_STATUSES } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';
import { getVisitor } from '../access.ts';
import { getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { casePagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { CASE_PARAMS, CASE_ROUTE, getCaseNo, readShownCase } from './case.ts';
import { casePage } from './case-page.ts';
import { addCasePage } from './done-page.ts';
import { FormTexts } from './form-texts.ts';
import { readCase, type CaseRead } from './read-case.ts';
import { MOVE_FIELDS } from './steps-section.ts';

export function caseOverviewRoutes(app: App, deps: ConsoleDeps, kept: KeptReach): void {
  addCasePage(app, {
    path: CASE_ROUTE,
    params: Type.Object(CASE_PARAMS),
    show: (to, done) => show(to, { form: EMPTY_FORM, done, status: 200 }),
  });

  addForm(app, {
    path: `${CASE_ROUTE}/move`,
    right: 'recall',
    params: Type.Object(CASE_PARAMS),
    // `show` says what the state of the case is now.
    refusals: () => ({ rule_broken: '' }),
    show: (to, form, status) => show(to, { form, done: undefined, status }),
    run: async (to, values) => {
      const texts = new FormTexts(values);
      const status = texts.oneOf(MOVE_FIELDS.to, CASE_STATUSES);
      const note = texts.optional(MOVE_FIELDS.note, CASE_REASON_MAX) ?? null;
      texts.check();
      const brand = getBrand(to);
      const caseNo = getCaseNo(to);
      if (status === undefined) throw new Error('a move of a case leads to a status');
      await moveCase(deps, {
        tenantId: brand,
        caseNo,
        to: status,
        note,
        releaseHolds: values[MOVE_FIELDS.release] === TICKED,
        seen: values[MOVE_FIELDS.seen] ?? '',
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
      });
      const done = status === 'closed' || status === CANCELLED ? status : 'moved';
      return await to.reply.redirect(withDone(casePagePath(brand, caseNo), done), 303);
    },
  });

  async function show(
    to: To,
    shown: {
      readonly form: FormState;
      readonly done: string | undefined;
      readonly status: number;
    },
  ): Promise<FastifyReply> {
    const reader = prepareConsoleReader(to.request, to.reply);
    const shownCase = await readShownCase(deps, to);
    const { brand, recallCase } = shownCase;
    const read = await readCase(deps, kept, shownCase);
    const { form, done, status } = shown;
    const seen = form.values[MOVE_FIELDS.seen];
    const isElsewhere = seen !== undefined && seen !== computeMark([recallCase.status]);
    // Values that were typed for another state are not shown again: the step may not exist any more.
    const judged = isElsewhere
      ? { ...EMPTY_FORM, problem: movedWords(read, recallCase.status, reader) }
      : form;
    const body = casePage({ ...shownCase, read, form: judged, done }, reader);
    const path = casePagePath(brand, recallCase.caseNo);
    return await sendFramed(
      deps,
      to,
      { title: `${recallCase.caseNo} ${recallCase.title}`, path, brand, body },
      isElsewhere ? 409 : status,
    );
  }
}

function movedWords(
  { moves }: CaseRead,
  status: CaseRead['moves'][number]['toStatus'],
  reader: Reader,
) {
  const { cases, simulation } = reader.words.console;
  const now = simulation.statuses[status];
  const last = moves.at(-1);
  return last === undefined || last.movedBy === null
    ? cases.refusals.moved(now)
    : cases.refusals.movedBy(last.movedBy, reader.formats.instant(last.movedAt), now);
}
