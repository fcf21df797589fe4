// Importing files: send one, map its columns, check it, correct it, import it. Each step is a form. Long work
// runs after the answer, and the page of the import shows its progress.
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import type { FormValues } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { PeopleProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { findImport, listImports, type KeptImport } from '../../csv-import/kept/imports.ts';
import { findMapping, saveMapping } from '../../csv-import/kept/mappings.ts';
import type { SurveyResult } from '../../csv-import/mapping/survey.ts';
import { TEMPLATE_FORMATS } from '../../csv-import/template/template.ts';
import { FILE_BYTES_MAX, takeForms } from '../../csv-import/upload.ts';
import { OFFSET_MAX, callerOfPerson, type App } from '../../http.ts';
import type { Reader } from '../../web/words/reader.ts';
import { getVisitor, mayIn } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { param } from '../params.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { ImportDesk } from './import-desk.ts';
import { importPage, type ImportView } from './import-page.ts';
import { importPath } from './import-paths.ts';
import { ImportsQuery, makeFilter, readFilters } from './imports-filter.ts';
import { importsPage } from './imports-page.ts';
import { isSurvey, readCheck, readForm as readSaid, readSurvey } from './parts-on-disk.ts';
import type { SaidForm } from './parts-on-disk.ts';
import { withMended } from './mended-cells.ts';
import { placesOfEvents } from './queries.ts';
import { refusalWords } from './refusal-words.ts';
import {
  isComplete,
  isReadOtherwise,
  mappingToKeep,
  proposeForm,
  readForm,
  readReading,
} from './said-form.ts';

const IMPORTS_ROUTE = `${BRAND_ROUTE}/imports`;
const IMPORT_ROUTE = `${IMPORTS_ROUTE}/:import_id`;
const IMPORTS_PER_PAGE = 25;
const ID_MAX = 64;
const IdText = Type.String({ minLength: 1, maxLength: ID_MAX });
const IMPORT_PARAMS = Type.Object({ ...BRAND_PARAM, import_id: IdText });
/** States from which a file can be checked again. */
const CHECKABLE = ['open', 'checked', 'stopped'] as const;

type Changes = Partial<Pick<ImportView, 'state' | 'problem' | 'form' | 'isColumns' | 'offset'>>;

export function importPageRoutes(app: App, deps: ConsoleDeps): void {
  const { store, clock, database } = deps;
  const desk = new ImportDesk({ ...deps, turns: deps.importTurns });
  app.addHook('onReady', (done) => {
    desk.start(app.log);
    done();
  });
  app.addHook('preClose', async () => {
    await desk.close();
  });

  app.get(
    IMPORTS_ROUTE,
    {
      schema: {
        hide: true,
        params: Type.Object(BRAND_PARAM),
        querystring: ImportsQuery,
      },
      config: { right: 'read' },
    },
    async (request, reply) => await sendList({ request, reply }, request.query),
  );

  app.get(
    `${IMPORTS_ROUTE}/template`,
    { schema: { hide: true, params: Type.Object(BRAND_PARAM) }, config: { right: 'read' } },
    async (_request, reply) => {
      const { mediaType, fileName, make } = TEMPLATE_FORMATS.xlsx;
      void reply
        .type(mediaType)
        .header('Content-Disposition', `attachment; filename="${fileName}"`);
      return await reply.send(make());
    },
  );

  // A scope of its own, because no other form here has a file.
  app.register((files: App, _options: object, done: () => void) => {
    takeForms(files);
    files.post(
      IMPORTS_ROUTE,
      {
        bodyLimit: FILE_BYTES_MAX,
        schema: { hide: true, params: Type.Object(BRAND_PARAM) },
        config: { right: 'import' },
      },
      async (request, reply) => await receive({ request, reply }),
    );
    done();
  });

  app.get(
    IMPORT_ROUTE,
    {
      schema: {
        hide: true,
        params: IMPORT_PARAMS,
        querystring: Type.Object({
          columns: Type.Optional(Type.String()),
          offset: Type.Optional(Type.Integer({ minimum: 0, maximum: OFFSET_MAX })),
          changed: Type.Optional(Type.String()),
        }),
      },
      config: { right: 'read' },
    },
    async (request, reply) => {
      const { columns, offset = 0, changed } = request.query;
      const { refused } = prepareConsoleReader(request, reply).words.console.imports;
      return await sendImport(
        { request, reply },
        {
          ...{ isColumns: columns !== undefined, offset },
          problem: changed === undefined ? undefined : refused.changed,
        },
        200,
      );
    },
  );

  addForm(app, {
    path: `${IMPORT_ROUTE}/columns`,
    right: 'import',
    params: IMPORT_PARAMS,
    show: (to, state, status) => sendImport(to, { state, isColumns: true }, status),
    run: async (to, values) => await takeColumns(to, values),
  });

  addForm(app, {
    path: `${IMPORT_ROUTE}/mend`,
    right: 'import',
    params: IMPORT_PARAMS,
    show: (to, { problem }, status) => sendImport(to, { problem }, status),
    run: async (to, values) => {
      const row = await readRow(to);
      const form = await formHere(row);
      const survey = await readSurvey(desk.files, row.import_id);
      if (form?.mapping === undefined || form.mapping === null || !isSurvey(survey)) {
        return await leadBack(to, row, 'changed');
      }
      const mended = withMended(form.mapping.mended, values);
      const said: SaidForm = { ...form, mapping: { ...form.mapping, mended } };
      const began = await desk.beginCheck(buildJob(row, said, to), CHECKABLE);
      return await leadBack(to, row, began ? undefined : 'changed');
    },
  });

  addForm(app, {
    path: `${IMPORT_ROUTE}/start`,
    right: 'import',
    params: IMPORT_PARAMS,
    show: (to, { problem }, status) => sendImport(to, { problem }, status),
    run: async (to, values) => {
      const row = await readRow(to);
      const form = await formHere(row);
      if (form === undefined) return await leadBack(to, row, 'changed');
      const began = await desk.beginImport({
        ...buildJob(row, form, to),
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
        onError: values['on_error'] === 'proceed' ? 'proceed' : 'abort',
      });
      return await leadBack(to, row, began ? undefined : 'changed');
    },
  });

  addForm(app, {
    path: `${IMPORT_ROUTE}/remove`,
    right: 'import',
    params: IMPORT_PARAMS,
    show: (to, { problem }, status) => sendImport(to, { problem }, status),
    run: async (to) => {
      const row = await readRow(to);
      const isGone = (await isHere(row)) && (await desk.remove(row));
      return await leadBack(to, row, isGone ? undefined : 'changed');
    },
  });

  /** Receives the file of a form, reads it, and checks it at once if its mapping is complete. */
  async function receive(to: To): Promise<FastifyReply> {
    const { request } = to;
    const reader = prepareConsoleReader(request, to.reply);
    // A form that was typed before a log-in has no file any more: only the page is shown.
    if (request.isShownAgain) return await sendList(to, {});
    const tenantId = getBrand(to);
    const { name: actor } = getVisitor(request).person;
    try {
      const importId = await desk.receive(request, { tenantId, actor });
      const row = await findRow(tenantId, importId);
      await propose(to, row, { query: {}, sheet: null }, reader);
      return await to.reply.redirect(importPath(tenantId, importId), 303);
    } catch (error) {
      const refused = refusalWords(error, reader);
      if (refused === undefined) throw error;
      return await sendList(to, { problem: refused.words }, refused.status);
    }
  }

  /** Reads a file with the current settings, and suggests a mapping of its columns. */
  async function propose(
    to: To,
    row: KeptImport,
    reading: Pick<SaidForm, 'query' | 'sheet'>,
    reader: Reader,
  ): Promise<void> {
    const { tenant_id: tenantId } = row;
    const looked = { ...reading, mapping: null, from: 'guess' } as const;
    const survey = await desk.survey(buildJob(row, looked, to));
    if (!isSurvey(survey)) return;
    const read =
      survey.encoding === 'windows-1252' && reading.query.encoding === undefined
        ? { ...reading, query: { ...reading.query, encoding: survey.encoding } }
        : reading;
    const kept = await findMapping(database, { tenantId, headers: survey.headers });
    const form = proposeForm(survey, read, { kept, language: reader.language });
    await desk.files.write(row.import_id, 'form', form);
    if (isComplete(form, survey)) await desk.beginCheck(buildJob(row, form, to), ['open']);
  }

  async function takeColumns(to: To, values: FormValues): Promise<FastifyReply> {
    const row = await readRow(to);
    const reader = prepareConsoleReader(to.request, to.reply);
    const before = await formHere(row);
    if (before === undefined || !CHECKABLE.some((state) => state === row.state)) {
      return await leadBack(to, row, 'changed');
    }
    const survey = await readSurvey(desk.files, row.import_id);
    const reading = readReading(values, before);
    const firstSheet = isSurvey(survey) ? survey.sheets[0] : undefined;
    const isAgain = values['again'] !== undefined || isReadOtherwise(reading, before, firstSheet);
    if (!isSurvey(survey) || isAgain) {
      await propose(to, row, reading, reader);
      return await to.reply.redirect(
        `${importPath(row.tenant_id, row.import_id)}?columns=yes`,
        303,
      );
    }
    const said = readForm(values, { survey, before }, reader);
    if (said.kind === 'wrong') {
      const state = { values, errors: said.errors, problem: undefined };
      return await sendImport(to, { state, form: said.form, isColumns: true }, 422);
    }
    const began = await desk.beginCheck(buildJob(row, said.form, to), CHECKABLE);
    if (!began) return await leadBack(to, row, 'changed');
    await store.write(
      saveMapping({
        tenantId: row.tenant_id,
        headers: survey.headers,
        mapping: mappingToKeep(said.form, survey),
        actor: getVisitor(to.request).person.name,
        nowMs: clock.nowMs(),
      }),
    );
    return await leadBack(to, row, undefined);
  }

  async function leadBack(
    to: To,
    row: KeptImport,
    mark: 'changed' | undefined,
  ): Promise<FastifyReply> {
    const path = importPath(row.tenant_id, row.import_id);
    return await to.reply.redirect(mark === undefined ? path : `${path}?${mark}=yes`, 303);
  }

  function buildJob(row: KeptImport, form: SaidForm, { request }: To) {
    return { row, form, log: request.log };
  }

  async function readRow(to: To): Promise<KeptImport> {
    return await findRow(getBrand(to), present(param(to, 'import_id'), 'the id of an import'));
  }

  async function findRow(tenantId: string, importId: string): Promise<KeptImport> {
    const row = await findImport(database, { tenantId, importId, nowMs: clock.nowMs() });
    if (row === undefined) throw new PeopleProblem('not_found', 'The brand has no such import');
    return row;
  }

  async function isHere(row: KeptImport): Promise<boolean> {
    return row.folder_id !== null && row.folder_id === (await desk.files.folderId());
  }

  /** Returns the settings of a file that is on this machine; undefined if it is not. */
  async function formHere(row: KeptImport): Promise<SaidForm | undefined> {
    if (!(await isHere(row)) || !(await desk.files.hasFile(row.import_id))) return undefined;
    return await readSaid(desk.files, row.import_id);
  }

  async function sendList(
    to: To,
    query: Static<typeof ImportsQuery> & { readonly problem?: string },
    status = 200,
  ): Promise<FastifyReply> {
    const { before, problem } = query;
    const filters = readFilters(query);
    const brand = getBrand(to);
    const path = brandPath(brand, 'imports');
    const reader = prepareConsoleReader(to.request, to.reply);
    const found = await listImports(database, {
      tenantId: brand,
      before: before ?? null,
      limit: IMPORTS_PER_PAGE + 1,
      nowMs: clock.nowMs(),
      filter: makeFilter(filters),
    });
    const { rows, last } = cutPage(found, IMPORTS_PER_PAGE);
    const body = importsPage(
      {
        ...{ path, brand, problem, filters },
        name: await readName(deps, brand),
        maySend: mayIn(to.request, brand, 'import'),
        imports: rows,
        next: last?.import_id,
      },
      reader,
    );
    const { title } = reader.words.console.imports;
    return await sendFramed(
      deps,
      to,
      { title, path, brand, body, modules: ['import-drop'] },
      status,
    );
  }

  async function sendImport(to: To, changes: Changes, status: number): Promise<FastifyReply> {
    const row = await readRow(to);
    const brand = row.tenant_id;
    const here = await isHere(row);
    const parts = here ? await readParts(row) : NO_PARTS;
    const reader = prepareConsoleReader(to.request, to.reply);
    const { title } = reader.words.console.imports;
    const body = importPage(
      {
        ...{ brand, row, ...parts },
        isHere: here,
        mayImport: mayIn(to.request, brand, 'import'),
        locations: await placesOfEvents(database, brand),
        ...{ isColumns: false, offset: 0, state: EMPTY_FORM, problem: undefined },
        ...changes,
      },
      reader,
    );
    const path = importPath(brand, row.import_id);
    return await sendFramed(
      deps,
      to,
      { title, path, brand, body, modules: ['import-progress'] },
      status,
    );
  }

  async function readParts(
    row: KeptImport,
  ): Promise<Pick<ImportView, 'form' | 'survey' | 'check'>> {
    const { files } = desk;
    const { import_id: importId } = row;
    return {
      form: await readSaid(files, importId),
      survey: await readSurvey(files, importId),
      check: await readCheck(files, importId),
    };
  }
}

const NO_PARTS: {
  readonly form: SaidForm;
  readonly survey: SurveyResult | undefined;
  readonly check: undefined;
} = {
  form: { query: {}, sheet: null, mapping: null, from: 'guess' },
  survey: undefined,
  check: undefined,
};
