// One notification of a case: its page, marking it as sent, entering the answer. The form sends the state
// that its reader saw, so that nobody overwrites an answer without having seen it.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { withDone } from '@lothub/design/done-mark';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { askTogether } from '@lothub/kit/database';
import { Type } from '@lothub/kit/json-schema';
import { fieldsProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../../../errors.ts';
import { callerOfPerson, type App } from '../../../http.ts';
import { answerSeen, noteConfirmation, type Confirmation } from '../../../recall/outbox/confirm.ts';
import type { KeptReach, ReachAsRead } from '../../../recall/outbox/kept-reach.ts';
import { findNotification, type NotificationRow } from '../../../recall/outbox/notifications.ts';
import { hasAllLots, lotsOfRecipient } from '../../../recall/outbox/recipient-lots.ts';
import { RESPONSE_MAX } from '../../../recall/outbox/schema.ts';
import { computeMark } from '../../../recall/seen.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { getVisitor } from '../../access.ts';
import { getBrand } from '../../brand/brand.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addForm } from '../../forms.ts';
import { param } from '../../params.ts';
import { casePagePath } from '../../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { CASE_PARAMS, CASE_ROUTE, getCaseNo, readShownCase, type ShownCase } from '../case.ts';
import { addCasePage } from '../done-page.ts';
import { FormTexts } from '../form-texts.ts';
import { listLetters } from './letter.ts';
import { ACCOUNTED, NEXT, THEN, UNITS_MAX, notificationPage } from './page.ts';
import { recipientText } from './list-page.ts';
import { findSender, nextNotification } from '../queries.ts';

const PATH = `${CASE_ROUTE}/notifications/:id`;
/** A number. A text that is no number reaches the gate, too, and is then treated like an unknown number. */
const IdText = Type.String({ minLength: 1, maxLength: 20 });
/** A decimal number as people write it in any of the languages, without marks between thousands. */
const AMOUNT = /^\d{1,12}(?:[.,]\d{1,6})?$/u;

export function notificationPageRoutes(app: App, deps: ConsoleDeps, kept: KeptReach): void {
  const { database } = deps;
  const params = Type.Object({ ...CASE_PARAMS, id: IdText });

  addCasePage(app, {
    path: PATH,
    params,
    show: (to, done) => show(to, { form: EMPTY_FORM, done, status: 200 }),
  });

  addForm(app, {
    path: `${PATH}/sent`,
    right: 'recall',
    params,
    // `show` says what its state is now.
    refusals: () => ({ rule_broken: '' }),
    show: (to, form, status) => show(to, { form, done: undefined, status }),
    run: async (to, values) => {
      await confirm(to, values, { to: 'sent', response: undefined });
      return await goOn(to, values, 'sent');
    },
  });

  addForm(app, {
    path: `${PATH}/answer`,
    right: 'recall',
    params,
    refusals: () => ({ rule_broken: '' }),
    show: (to, form, status) => show(to, { form, done: undefined, status }),
    run: async (to, values) => {
      const texts = new FormTexts(values);
      const status = texts.oneOf('status', ['acknowledged', 'resolved'] as const);
      const written = texts.optional('response', RESPONSE_MAX);
      texts.check();
      if (status === undefined) throw new Error('an answer has a status');
      const amounts = await accountedWords(to, values);
      const response = [amounts, written].filter((text) => text !== undefined).join(' ');
      const { length: actual } = [...response];
      if (actual > RESPONSE_MAX) {
        const pointer = '/response';
        throw fieldsProblem([{ pointer, code: 'too_long', limit: RESPONSE_MAX, actual }]);
      }
      await confirm(to, values, { to: status, response: response === '' ? undefined : response });
      return await goOn(to, values, 'answered');
    },
  });

  async function confirm(
    to: To,
    values: FormValues,
    said: Pick<Confirmation, 'to' | 'response'>,
  ): Promise<void> {
    await noteConfirmation(
      { ...deps, turns: deps.notificationTurns },
      {
        tenantId: getBrand(to),
        caseNo: getCaseNo(to),
        notificationId: getNotificationId(to),
        ...said,
        seen: values['seen'] ?? '',
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
      },
    );
  }

  /** Leads to the next notification that waits for the same, if the person asked for it. */
  async function goOn(
    to: To,
    values: FormValues,
    done: 'sent' | 'answered',
  ): Promise<FastifyReply> {
    const { brand, recallCase } = await readShownCase(deps, to);
    const { caseId, caseNo } = recallCase;
    const path = casePagePath(brand, caseNo, 'notifications');
    const status = done === 'sent' ? 'ready' : 'sent';
    const next =
      values[THEN] === NEXT
        ? await nextNotification(database, { caseId, status, behind: getNotificationId(to) })
        : getNotificationId(to);
    const target = next === undefined ? path : `${path}/${next}`;
    return await to.reply.redirect(withDone(target, done), 303);
  }

  /**
   * Writes the entered amounts as a sentence of the answer, in the language of the person who enters them.
   */
  async function accountedWords(to: To, values: FormValues): Promise<string | undefined> {
    const { words, formats } = prepareConsoleReader(to.request, to.reply);
    const { shownCase, row, found } = await read(to);
    const units = found?.reach.of(row.audience, row.recipient).quantities ?? [];
    const said = units.slice(0, UNITS_MAX).flatMap(({ unit }, index) => {
      const name = `${ACCOUNTED}${index}`;
      const text = textOrNothing(values[name]?.trim());
      if (text === undefined) return [];
      if (!AMOUNT.test(text)) {
        throw fieldsProblem([
          { pointer: `/${name}`, code: 'wrong_form', limit: null, actual: null },
        ]);
      }
      return [formats.quantity(text.replace(',', '.'), unit)];
    });
    const { answers } = words.console.cases;
    return said.length === 0 || shownCase.recallCase.caseId !== row.caseId
      ? undefined
      : answers.accountedText(formats.list(said));
  }

  async function read(to: To): Promise<{
    readonly shownCase: ShownCase;
    readonly row: NotificationRow & { readonly caseId: number };
    readonly found: ReachAsRead | undefined;
  }> {
    const shownCase = await readShownCase(deps, to);
    const { caseId } = shownCase.recallCase;
    const row = await findNotification(database, { caseId, notificationId: getNotificationId(to) });
    if (row === undefined) throw new Refusal('not_found', 'No such notification of the case');
    return { shownCase, row: { ...row, caseId }, found: await kept.of(caseId) };
  }

  async function show(
    to: To,
    shown: {
      readonly form: FormState;
      readonly done: string | undefined;
      readonly status: number;
    },
  ): Promise<FastifyReply> {
    const reader = prepareConsoleReader(to.request, to.reply);
    const { shownCase, row, found } = await read(to);
    const { brand, recallCase } = shownCase;
    const { caseId, caseNo } = recallCase;
    const { audience, recipient, notificationId } = row;
    const behind = notificationId;
    const [sender, nextReady, nextSilent] = await askTogether(database, (one) =>
      Promise.all([
        findSender(one, brand),
        nextNotification(one, { caseId, status: 'ready', behind }),
        nextNotification(one, { caseId, status: 'sent', behind }),
      ]),
    );
    const reached = found?.reach.of(audience, recipient);
    const lots =
      found === undefined
        ? []
        : await lotsOfRecipient(deps.reader, { reach: found.reach, audience, recipient });
    const letters =
      found === undefined || reached === undefined
        ? []
        : listLetters({
            ...{ recallCase, audience, lots, publicUrl: deps.publicUrl },
            brandName: sender?.name ?? brand,
            recallContact: sender?.recallContact ?? null,
            website: sender?.website ?? null,
            brandLanguage: sender?.language ?? null,
            lotsTotal: reached.lots,
            quantities: hasAllLots(audience) ? found.reach.sold() : reached.quantities,
          });
    const { form, status } = judged(shown, row, reader);
    const body = notificationPage(
      { ...shownCase, row, reached, lots, letters, nextReady, nextSilent, form, done: shown.done },
      reader,
    );
    return await sendFramed(
      deps,
      to,
      {
        title: `${recipientText(row, reader)} · ${caseNo}`,
        path: `${casePagePath(brand, caseNo, 'notifications')}/${notificationId}`,
        brand,
        body,
      },
      status,
    );
  }
}

/** Judges a form that was meant for another state of the notification. */
function judged(
  { form, status }: { readonly form: FormState; readonly status: number },
  row: NotificationRow,
  { words }: Reader,
): { readonly form: FormState; readonly status: number } {
  const { answers } = words.console.cases;
  if (form.problem === undefined && Object.keys(form.errors).length === 0) return { form, status };
  const { seen } = form.values;
  if (seen === undefined || seen === computeMark(answerSeen(row))) {
    const problem = form.problem === '' ? answers.pendingRefused : form.problem;
    return { form: { ...form, problem }, status };
  }
  const problem = answers.changedMeanwhile(answers.statuses[row.status]);
  return { form: { ...form, problem }, status: 409 };
}

/** @throws Refusal `not_found` when nothing can have this number */
function getNotificationId(to: To): number {
  const id = Number(param(to, 'id'));
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new Refusal('not_found', 'No notification has this number');
}
