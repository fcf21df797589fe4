// The page of an event of a brand, and its correction in two steps: first a preview of what it would change.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { newSalt } from '@lothub/kit/secrets/secrets';
import type { FastifyReply } from 'fastify';
import { checkRequest } from '../../corrections/check-request.ts';
import { correctEvent } from '../../corrections/correct.ts';
import { previewCorrection } from '../../corrections/preview.ts';
import { REASON_MAX, type CorrectionInput } from '../../corrections/schema.ts';
import { Refusal, STATUS_OF_REFUSAL } from '../../errors.ts';
import { callerOfPerson, type App } from '../../http.ts';
import { getFacts } from '../../ledger/record/event-types.ts';
import { readCovered } from '../../recall/follow/cases-of-lots.ts';
import { getVisitor, mayIn } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { param } from '../params.ts';
import { eventPagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { correctPage, voidedPage } from './correct-page.ts';
import {
  buildCorrection,
  buildVoiding,
  correctableValues,
  wantedChanges,
  wrongNames,
} from './correction-values.ts';
import type { WantedChange } from './correction-values.ts';
import { fieldValue } from './event-parts.ts';
import { eventPage } from './event-page.ts';
import { getShownEvent, readEntries, type FoundEvent } from './event-view.ts';
import { previewPage } from './preview-page.ts';
import { casesOfIds, type NamedCase } from './queries.ts';
import { fieldPathText } from '../../ledger/record/field-path.ts';

const EVENT_ROUTE = `${BRAND_ROUTE}/events/:id`;
const CORRECT_ROUTE = `${EVENT_ROUTE}/correct`;
/** Any text, so that a visitor who is not logged in reaches the log-in first. */
const EVENT_PARAMS = Type.Object({ ...BRAND_PARAM, id: Type.String({ maxLength: 200 }) });
/** A form has each value twice, and each character takes up to nine bytes. */
const FORM_BYTES_MAX = 1_048_576;
const STATUS_WRONG = 422;
const STATUS_RACED = 409;

const EventQuery = Type.Object({
  done: Type.Optional(Type.String()),
  line: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
});

export function eventPageRoutes(app: App, deps: ConsoleDeps): void {
  const schema = { hide: true, params: EVENT_PARAMS, querystring: EventQuery };

  app.get(EVENT_ROUTE, { schema, config: { right: 'read' } }, async (request, reply) => {
    const to = { request, reply };
    const { brand, id } = request.params;
    const { done, line = 0 } = request.query;
    const reader = prepareConsoleReader(request, reply);
    const found = await findEvent(deps, to);
    const { event_type: type, lines } = found.event.effective.event;
    const lotCodes = [...new Set(lines.map((one) => one.lot_code))];
    const body = eventPage(
      {
        ...{ ...found, brand, firstLine: line },
        entries: await readEntries(deps.reader.database, {
          tenantId: brand,
          height: Number(id),
          lotCodes,
        }),
        mayCorrect: mayIn(request, brand, 'correct') && getFacts(type).counts,
        done: doneWordsIn(reader.words.console.events.done, done),
      },
      reader,
    );
    const title = reader.words.console.events.numbered(id);
    return await sendFramed(deps, to, { title, brand, body });
  });

  app.get(CORRECT_ROUTE, { schema, config: { right: 'correct' } }, async (request, reply) => {
    const { line = 0 } = request.query;
    const to = { request, reply };
    return await sendForm(deps, to, { form: EMPTY_FORM, firstLine: line }, 200);
  });

  addForm(app, {
    path: CORRECT_ROUTE,
    right: 'correct',
    params: EVENT_PARAMS,
    bodyLimit: FORM_BYTES_MAX,
    show: (to, form, status) =>
      sendForm(deps, to, { form, firstLine: readFirstLine(form.values) }, status),
    run: (to, values) => correct(deps, to, values),
  });
}

/** Shows a preview of a correction, and does it once the preview was seen. */
async function correct(deps: ConsoleDeps, to: To, values: FormValues): Promise<FastifyReply> {
  const found = await findEvent(deps, to);
  const { event } = found;
  if (event.effective.voided) return await sendVoided(deps, to, found);
  const reader = prepareConsoleReader(to.request, to.reply);
  const again = (form: Partial<FormState>, status: number): Promise<FastifyReply> =>
    sendForm(
      deps,
      to,
      {
        form: { values, errors: {}, problem: undefined, ...form },
        firstLine: readFirstLine(values),
      },
      status,
    );
  if (values['step'] === 'back') return await again({}, 200);
  const { events: words } = reader.words.console;
  const { fields } = reader.words.console;
  const isVoiding = values['void'] === 'yes';
  const all = correctableValues(event, { firstLine: readFirstLine(values) });
  const changes = isVoiding ? [] : wantedChanges(values, all, reader);
  const reason = textOrNothing(values['reason'])?.trim();
  const wrong: Record<string, string> = Object.fromEntries(
    changes.flatMap((change) => {
      const fault = findFault(change);
      return fault === undefined ? [] : [[change.value.name, fault]];
    }),
  );
  if (reason === undefined) wrong['reason'] = fields.required;
  else if (reason.length > REASON_MAX) {
    wrong['reason'] = fields.tooLong(reader.formats.number(REASON_MAX));
  }
  const isRaced = changes.some((change) => change.isRaced);
  if (reason === undefined || Object.keys(wrong).length > 0) {
    const problem = isRaced ? words.raced : undefined;
    return await again({ errors: wrong, problem }, isRaced ? STATUS_RACED : STATUS_WRONG);
  }
  if (!isVoiding && changes.length === 0) {
    return await again({ problem: words.nothingChanged }, STATUS_WRONG);
  }
  const { person } = getVisitor(to.request);
  const caller = callerOfPerson(to.request, person);
  const eventId = event.block.height;
  const said = { eventId, reason, requestedBy: caller.person };
  const checked = checkRequest(isVoiding ? buildVoiding(said) : buildCorrection(changes, said));
  if (checked.kind === 'invalid') {
    const names = wrongNames(checked.errors, changes);
    const errors = Object.fromEntries(names.map((name) => [name, wrongWords(name)]));
    return await again({ errors }, STATUS_WRONG);
  }
  const tenantId = getBrand(to);
  const { request } = checked;
  try {
    if (values['step'] !== 'confirm') {
      const preview = { event, reason, values: sentAgain(values, changes) };
      return await sendPreview(deps, to, { ...preview, request });
    }
    const { store, reader: ledger } = deps;
    await correctEvent(request, { tenantId, caller, store, reader: ledger, newSalt });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'rule_broken') throw error;
    // Another person changed the event after it was read here: the form shows what counts now.
    return await again({ problem: words.raced }, STATUS_RACED);
  }
  const path = eventPagePath(tenantId, String(eventId));
  return await to.reply.redirect(withDone(path, isVoiding ? 'voided' : 'corrected'), 303);

  function findFault({ value, isRaced: isOld, isMalformed }: WantedChange): string | undefined {
    if (isMalformed) return fields.malformed;
    if (!isOld) return undefined;
    const shown = value.text === '' ? null : value.text;
    return words.racedTo(plainText(fieldValue(fieldPathText(value.path), shown, reader).text));
  }

  function wrongWords(name: string): string {
    return textOrNothing(values[name]) === undefined ? fields.required : fields.malformed;
  }
}

/** Returns the text of markup as a reader sees it. */
function plainText(text: string): string {
  return text.replace(/<[^>]+>/g, '').trim();
}

/**
 * Returns the values that the preview contains: the changed fields, the values that were seen, and the
 * reason.
 */
function sentAgain(values: FormValues, changes: readonly WantedChange[]): FormValues {
  const names = new Set([
    ...['first_line', 'reason', 'void'],
    ...changes.flatMap(({ value: { name } }) => [name, `seen-${name}`]),
  ]);
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

function readFirstLine(values: FormValues): number {
  const line = Number(values['first_line'] ?? '0');
  return Number.isSafeInteger(line) && line >= 0 ? line : 0;
}

async function findEvent(deps: ConsoleDeps, to: To): Promise<FoundEvent> {
  const id = present(param(to, 'id'), 'the event of a page');
  if (!/^\d{1,15}$/.test(id)) throw new Refusal('not_found', 'No event of this id is known');
  const height = Number(id);
  return await getShownEvent(deps, { tenantId: getBrand(to), height });
}

/**
 * Sends the form with the values that count now. It keeps typed values that differ from what the reader saw.
 */
async function sendForm(
  deps: ConsoleDeps,
  to: To,
  { form, firstLine }: { readonly form: FormState; readonly firstLine: number },
  status: number,
): Promise<FastifyReply> {
  const found = await findEvent(deps, to);
  const { event } = found;
  if (event.effective.voided) return await sendVoided(deps, to, found);
  const reader = prepareConsoleReader(to.request, to.reply);
  const brand = getBrand(to);
  const all = correctableValues(event, { firstLine });
  const typed = new Set(wantedChanges(form.values, all, reader).map(({ value: { name } }) => name));
  const kept = Object.entries(form.values).filter(
    ([name]) => typed.has(name) || name === 'reason' || name === 'void',
  );
  const shown = { ...form, values: Object.fromEntries(kept) };
  const body = correctPage({ brand, event, firstLine, form: shown }, reader);
  return await sendFramed(deps, to, { ...describePage(to, found), body }, status);
}

async function sendVoided(deps: ConsoleDeps, to: To, found: FoundEvent): Promise<FastifyReply> {
  const { event } = found;
  const reader = prepareConsoleReader(to.request, to.reply);
  const view = { brand: getBrand(to), event, firstLine: 0, form: EMPTY_FORM };
  const body = voidedPage(view, reader);
  return await sendFramed(
    deps,
    to,
    { ...describePage(to, found), body },
    STATUS_OF_REFUSAL.rule_broken,
  );
}

async function sendPreview(
  deps: ConsoleDeps,
  to: To,
  planned: Pick<FoundEvent, 'event'> & {
    readonly request: CorrectionInput;
    readonly reason: string;
    readonly values: FormValues;
  },
): Promise<FastifyReply> {
  const { event, request, reason, values } = planned;
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  const preview = await previewCorrection(deps.reader, { tenantId: brand, request, newSalt });
  const cases = await casesCovering(deps.reader.database, preview.lotNos);
  const body = previewPage({ brand, event, preview, cases, reason, values }, reader);
  return await sendFramed(deps, to, { ...describePage(to, { event }), body });
}

function describePage(to: To, { event }: Pick<FoundEvent, 'event'>) {
  const brand = getBrand(to);
  const id = String(event.block.height);
  const { events: words } = prepareConsoleReader(to.request, to.reply).words.console;
  const path = `${eventPagePath(brand, id)}/correct`;
  return { title: `${words.correctTitle} · ${words.numbered(id)}`, path, brand };
}

/** Open cases that cover lots. */
async function casesCovering(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly NamedCase[]> {
  const covered = await readCovered(database, lotNos);
  const caseIds = [...new Set(covered.map(({ caseId }) => caseId))].slice(0, IN_LIST_MAX);
  return caseIds.length === 0 ? [] : await casesOfIds(database, caseIds);
}
