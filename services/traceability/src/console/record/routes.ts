// Records one event by a form, also an event that waited on a device without a connection, and looks up codes
// while they are scanned.
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import { readFormValues, type FormValues } from '@lothub/design/form-values';
import { instantText } from '@lothub/kit/clock';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { newId } from '@lothub/kit/secrets/ids';
import type { FastifyReply } from 'fastify';
import { FieldsRefusal, Refusal } from '../../errors.ts';
import { postEvent, type PostedEvent } from '../../events/post-event.ts';
import { callerOfPerson, type App } from '../../http.ts';
import type { EventType } from '../../ledger/record/event-types.ts';
import type { Reader } from '../../web/words/reader.ts';
import { getVisitor } from '../access.ts';
import { consoleModule } from '../assets.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { errorWords } from '../imports/error-words.ts';
import { brandPath, eventPagePath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { checkCode } from './codes.ts';
import {
  KEPT_FIELDS,
  KEPT_LINE_FIELDS,
  countLines,
  findEventType,
  lineField,
  readEvent,
  withoutLine,
} from './event-form.ts';
import { noteOfCode, recordPage, type CodeNote, type RecordView } from './record-page.ts';

const RECORD_ROUTE = `${BRAND_ROUTE}/record`;
const RIGHT = 'import';
/** Characters of a scan: a symbol holds some hundred. */
const SCAN_MAX = 2_000;
const CODE_FIELDS = ['lot_code', 'product_sku'] as const;

type Changes = Partial<Pick<RecordView, 'form' | 'notes' | 'stored'>>;

/** A form with errors in its fields. */
class WrongForm extends Error {
  readonly form: FormState;

  constructor(form: FormState) {
    super('a form of an event is wrong');
    this.form = form;
  }
}

export function recordPageRoutes(app: App, deps: ConsoleDeps): void {
  const { database, clock } = deps;

  app.get(
    RECORD_ROUTE,
    {
      schema: {
        hide: true,
        params: Type.Object(BRAND_PARAM),
        querystring: Type.Record(Type.String(), Type.String({ maxLength: SCAN_MAX })),
      },
      config: { right: RIGHT },
    },
    async (request, reply) => {
      const { query } = request;
      const values: Record<string, string> = { type: query['type'] ?? '' };
      for (const name of KEPT_FIELDS) values[name] = query[name] ?? '';
      for (const name of KEPT_LINE_FIELDS) values[lineField(0, name)] = query[name] ?? '';
      const given = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));
      const height = Number(query['stored']);
      const stored = Number.isSafeInteger(height) && height > 0 ? height : undefined;
      const form = { ...EMPTY_FORM, values: given };
      return await sendPage({ request, reply }, { form, stored }, 200);
    },
  );

  addForm(app, {
    path: RECORD_ROUTE,
    right: RIGHT,
    params: Type.Object(BRAND_PARAM),
    refusals: (words) => ({ rule_broken: words.record.idTaken }),
    show: (to, form, status) => sendPage(to, { form }, status),
    run: async (to, values) => {
      const type = findEventType(values);
      if (type === undefined)
        return await to.reply.redirect(brandPath(getBrand(to), 'record'), 303);
      if (values['add'] !== undefined) {
        const lines = String(countLines({ lines: String(countLines(values) + 1) }));
        return await sendPage(to, { form: { ...EMPTY_FORM, values: { ...values, lines } } }, 200);
      }
      if (values['remove'] !== undefined) {
        const kept = withoutLine(values, Number(values['remove']));
        return await sendPage(to, { form: { ...EMPTY_FORM, values: kept } }, 200);
      }
      const read = await readCodes(to, values);
      // With both fields, the button that stores was pressed.
      if (values['check'] !== undefined && values['store'] === undefined) {
        const form = { ...EMPTY_FORM, values: read.values };
        return await sendPage(to, { form, notes: read.notes }, 200);
      }
      try {
        const { block } = await store(to, { type, values: read.values });
        return await to.reply.redirect(nextPath(to, read.values, block.height), 303);
      } catch (error) {
        if (!(error instanceof WrongForm)) throw error;
        return await sendPage(to, { form: error.form, notes: read.notes }, 422);
      }
    },
  });

  // Takes events from the module of the page, also those that waited on a device, and answers with JSON.
  app.post(
    `${RECORD_ROUTE}/queued`,
    { schema: { hide: true, params: Type.Object(BRAND_PARAM) }, config: { right: RIGHT } },
    async (request, reply) => {
      const to = { request, reply };
      const values = readFormValues(request.body);
      const reader = prepareConsoleReader(request, reply);
      const { record: words } = reader.words.console;
      const type = findEventType(values);
      if (type === undefined || request.isShownAgain) {
        return await reply
          .code(422)
          .send({ kind: 'refused', words: [reader.words.console.fields.malformed] });
      }
      try {
        const read = await readCodes(to, values);
        const posted = await store(to, { type, values: read.values });
        return await reply.send({
          kind: 'stored',
          words: listWarnings(posted, reader),
          block: words.storedIn(reader.formats.number(posted.block.height)),
          href: eventPagePath(getBrand(to), String(posted.block.height)),
        });
      } catch (error) {
        if (error instanceof WrongForm) {
          const found = [...new Set(Object.values(error.form.errors))];
          return await reply.code(422).send({ kind: 'refused', words: found });
        }
        if (error instanceof Refusal && error.code === 'rule_broken') {
          return await reply.code(409).send({ kind: 'refused', words: [words.idTaken] });
        }
        throw error;
      }
    },
  );

  app.get(
    `${RECORD_ROUTE}/code`,
    {
      schema: {
        hide: true,
        params: Type.Object(BRAND_PARAM),
        querystring: Type.Object({
          field: Type.Enum([...CODE_FIELDS]),
          code: Type.String({ minLength: 1, maxLength: SCAN_MAX }),
        }),
      },
      config: { right: RIGHT },
    },
    async (request, reply) => {
      const { field, code } = request.query;
      const tenantId = request.params.brand;
      const checked = await checkCode(database, { tenantId, field, code });
      const note = noteOfCode(checked, prepareConsoleReader(request, reply));
      return await reply.send({
        lot_code: checked.lotCode ?? null,
        product_sku: checked.productSku ?? null,
        note: note ?? null,
      });
    },
  );

  /** @throws WrongForm, Refusal, DatabaseError */
  async function store(
    to: To,
    { type, values }: { readonly type: EventType; readonly values: FormValues },
  ): Promise<PostedEvent> {
    const reader = prepareConsoleReader(to.request, to.reply);
    const filled = readEvent(type, values, instantText(clock.nowMs()));
    const own = Object.entries(filled.errors);
    const errors: Record<string, string> = {};
    for (const [name, error] of own)
      errors[name] = errorWords({ type: error, column: null }, reader);
    if (own.length > 0) throw new WrongForm({ values, errors, problem: undefined });
    try {
      return await postEvent(deps, {
        tenantId: getBrand(to),
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
        value: filled.event,
        wantsProofs: false,
      });
    } catch (error) {
      if (!(error instanceof FieldsRefusal)) throw error;
      for (const { loc, type: wrong } of error.fields) {
        const [, field, line, name] = loc;
        const isOfLine = field === 'lines' && typeof line === 'number';
        const shown = isOfLine ? `line_${line}.${name ?? 'lot_code'}` : String(field);
        errors[shown] ??= errorWords({ type: wrong, column: null }, reader);
      }
      throw new WrongForm({ values, errors, problem: undefined });
    }
  }

  /** Replaces scans in the values by lots and products, and looks each of them up. */
  async function readCodes(
    to: To,
    values: FormValues,
  ): Promise<{ readonly values: FormValues; readonly notes: Readonly<Record<string, CodeNote>> }> {
    const reader = prepareConsoleReader(to.request, to.reply);
    const tenantId = getBrand(to);
    const read: Record<string, string> = { ...values };
    const notes: Record<string, CodeNote> = {};
    for (let line = 0; line < countLines(values); line += 1) {
      for (const field of CODE_FIELDS) {
        const name = lineField(line, field);
        const code = (read[name] ?? '').trim();
        if (code === '' || code.length > SCAN_MAX) continue;
        const checked = await checkCode(database, { tenantId, field, code });
        const { lotCode, productSku } = checked;
        const other = lineField(line, field === 'lot_code' ? 'product_sku' : 'lot_code');
        const [own, beside] = field === 'lot_code' ? [lotCode, productSku] : [productSku, lotCode];
        if (own !== undefined && own !== code) read[name] = own;
        if (beside !== undefined && (read[other] ?? '') === '') read[other] = beside;
        const note = noteOfCode(checked, reader);
        if (note !== undefined) notes[name] = note;
      }
    }
    return { values: read, notes };
  }

  /** Returns the path of an empty form with the values that stay for the next event. */
  function nextPath(to: To, values: FormValues, height: number): string {
    const kept = new URLSearchParams({ type: values['type'] ?? '' });
    for (const name of KEPT_FIELDS)
      if ((values[name] ?? '') !== '') kept.set(name, values[name] ?? '');
    for (const name of KEPT_LINE_FIELDS) {
      const text = values[lineField(0, name)] ?? '';
      if (text !== '') kept.set(name, text);
    }
    kept.set('stored', String(height));
    return `${brandPath(getBrand(to), 'record')}?${kept.toString()}`;
  }

  async function sendPage(to: To, changes: Changes, status: number): Promise<FastifyReply> {
    const brand = getBrand(to);
    const reader = prepareConsoleReader(to.request, to.reply);
    const form = changes.form ?? EMPTY_FORM;
    const body = recordPage(
      {
        ...{ brand, form },
        name: await readName(deps, brand),
        type: findEventType(form.values),
        notes: changes.notes ?? {},
        externalId: newId('rec'),
        accountId: getVisitor(to.request).person.accountId,
        worker: consoleModule('record-worker').path,
        stored: changes.stored,
      },
      reader,
    );
    const { title } = reader.words.console.record;
    const path = brandPath(brand, 'record');
    return await sendFramed(deps, to, { title, path, brand, body, modules: ['record'] }, status);
  }
}

function listWarnings({ warnings }: PostedEvent, { words }: Reader): readonly string[] {
  const { codes } = words.console.imports.warnings;
  return warnings.map(({ code }) => present(codes[code], 'the words of a warning'));
}
