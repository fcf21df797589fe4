// The notifications of a case as a list, and marking several of them as sent at once.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import type { FormValues } from '@lothub/design/form-values';
import { askTogether } from '@lothub/kit/database';
import { Type } from '@lothub/kit/json-schema';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { Refusal } from '../../../errors.ts';
import { callerOfPerson, type App } from '../../../http.ts';
import { getCase } from '../../../recall/case/move-case.ts';
import { answerSeen, noteConfirmation } from '../../../recall/outbox/confirm.ts';
import type { KeptReach } from '../../../recall/outbox/kept-reach.ts';
import type { NotificationFilter } from '../../../recall/outbox/notifications.ts';
import { findNotification, notificationsOfCase } from '../../../recall/outbox/notifications.ts';
import { computeMark } from '../../../recall/seen.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { getVisitor } from '../../access.ts';
import { getBrand } from '../../brand/brand.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addressWith } from '../../filters.ts';
import { addForm } from '../../forms.ts';
import { casePagePath } from '../../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { CASE_PARAMS, CASE_ROUTE, getCaseNo, readShownCase } from '../case.ts';
import { NOTIFICATION_FILTER, filterOfQuery } from './filter.ts';
import { ALL, PICK, notificationsPage } from './list-page.ts';
import { nextNotification } from '../queries.ts';

/** Notifications on a page, and as many are marked at once. */
const PER_PAGE = 50;

const Count = Type.Optional(Type.Integer({ minimum: 0, maximum: PER_PAGE }));
const ListQuery = Type.Object({
  ...NOTIFICATION_FILTER,
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  done: Type.Optional(Type.String()),
  /** How many were marked just now, and how many stayed as they were. */
  marked: Count,
  stayed: Count,
});
type Query = Static<typeof ListQuery>;

export function notificationListRoutes(app: App, deps: ConsoleDeps, kept: KeptReach): void {
  const { database } = deps;
  const path = `${CASE_ROUTE}/notifications`;
  const params = Type.Object(CASE_PARAMS);

  app.get(
    path,
    { schema: { hide: true, params, querystring: ListQuery }, config: { right: 'read' } },
    async (request, reply) =>
      await show({ request, reply }, { query: request.query, form: EMPTY_FORM, status: 200 }),
  );

  addForm(app, {
    path: `${path}/sent`,
    right: 'recall',
    params,
    show: (to, form, status) => show(to, { query: {}, form, status }),
    run: async (to, values) => {
      const brand = getBrand(to);
      const caseNo = getCaseNo(to);
      const ids = pickedIds(values);
      if (ids.length === 0) {
        const { pickOne } = prepareConsoleReader(to.request, to.reply).words.console.cases.answers;
        const form = { values, errors: {}, problem: pickOne };
        return await show(to, { query: {}, form, status: 422 });
      }
      const counts = await markSent(to, { brand, caseNo, ids });
      const list = casePagePath(brand, caseNo, 'notifications');
      const filter = filterOfAddress(to);
      return await to.reply.redirect(addressWith(list, { ...filter, ...counts }), 303);
    },
  });

  /** Marks one after the other, each with a block of its own, as the interface does. */
  async function markSent(
    to: To,
    selection: { readonly brand: string; readonly caseNo: string; readonly ids: readonly number[] },
  ): Promise<{ readonly marked: number; readonly stayed: number }> {
    const { brand: tenantId, caseNo, ids } = selection;
    const { caseId } = await getCase(database, { tenantId, caseNo });
    const caller = callerOfPerson(to.request, getVisitor(to.request).person);
    let marked = 0;
    for (const notificationId of ids) {
      const row = await findNotification(database, { caseId, notificationId });
      // Another person has changed it, or it belongs to another case.
      if (row?.status !== 'ready') continue;
      try {
        await noteConfirmation(
          { ...deps, turns: deps.notificationTurns },
          {
            ...{ tenantId, caseNo, notificationId, caller },
            to: 'sent',
            response: undefined,
            seen: computeMark(answerSeen(row)),
          },
        );
        marked += 1;
      } catch (error) {
        const isLate = error instanceof Refusal && error.code === 'rule_broken';
        if (!isLate) throw error;
      }
    }
    return { marked, stayed: ids.length - marked };
  }

  async function show(
    to: To,
    shown: {
      readonly query: Query;
      readonly form: FormState;
      readonly status: number;
    },
  ): Promise<FastifyReply> {
    const { query, form, status } = shown;
    const shownCase = await readShownCase(deps, to);
    const { brand, recallCase } = shownCase;
    const { caseId, caseNo, title } = recallCase;
    const filter = filterOfQuery(query);
    const reading = kept.of(caseId);
    // The code below that awaits it gets the error.
    reading.catch(() => undefined);
    const [found, firstReady, firstSilent] = await askTogether(database, (one) =>
      Promise.all([
        notificationsOfCase(one, {
          ...{ caseId, ...filter },
          above: query.after ?? 0,
          limit: PER_PAGE + 1,
        }),
        nextNotification(one, { caseId, status: 'ready', behind: 0 }),
        nextNotification(one, { caseId, status: 'sent', behind: 0 }),
      ]),
    );
    const { rows, last } = cutPage(found, PER_PAGE);
    const reader = prepareConsoleReader(to.request, to.reply);
    const body = notificationsPage(
      {
        ...{ ...shownCase, filter, rows, firstReady, firstSilent, form },
        next: last?.notificationId,
        reach: (await reading)?.reach,
        done: formatDone(query, reader),
      },
      reader,
    );
    const { title: name } = reader.words.console.cases.answers;
    const path = casePagePath(brand, caseNo, 'notifications');
    return await sendFramed(
      deps,
      to,
      { title: `${name} · ${caseNo} ${title}`, path, brand, body },
      status,
    );
  }
}

function formatDone({ done, marked, stayed = 0 }: Query, { words, formats }: Reader) {
  const { answers, done: doneWords } = words.console.cases;
  if (marked === undefined) {
    return done === 'sent' || done === 'answered' ? doneWords[done] : undefined;
  }
  return [
    answers.marked(formats.number(marked), marked === 1),
    ...(stayed === 0 ? [] : [answers.stayed(formats.number(stayed), stayed === 1)]),
  ].join(' ');
}

function pickedIds(values: FormValues): readonly number[] {
  const all = values[ALL];
  const picked = Object.keys(values).flatMap((name) =>
    name.startsWith(PICK) ? [name.slice(PICK.length)] : [],
  );
  const ids = (all === undefined ? picked : all.split(',')).map(Number);
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))].slice(0, PER_PAGE);
}

/** Reads the filters from the address; the address of a form contains them, too. */
function filterOfAddress({ request }: To): NotificationFilter {
  const { searchParams } = new URL(request.url, 'http://hub.invalid');
  return filterOfQuery({
    audience: searchParams.get('audience'),
    status: searchParams.get('status'),
  });
}
