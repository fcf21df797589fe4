// GET /v1/lots/{lot_code}/label and /label-sheet: what leads from a package to the page of its lot.
import { createHash } from 'node:crypto';
import { nextWorkTurn } from '@lothub/kit/in-turns';
import { Type } from '@lothub/kit/json-schema';
import { FieldsRefusal } from '../errors.ts';
import { LotCodeParams, NOT_FOUND, RULE_BROKEN, V1_ERRORS, V1_SECURITY } from '../http.ts';
import type { App } from '../http.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { chooseName } from '../lots/told/language.ts';
import { getLabelSubject, labelOf } from './label.ts';
import type { LabelSubject } from './label.ts';
import {
  COLUMNS_DEFAULT,
  LABELS_MAX,
  LabelQuery,
  MODULE_MM_DEFAULT,
  ROWS_DEFAULT,
  SERIALS_MAX,
  SheetQuery,
} from './schema.ts';
import { serialsBetween } from './serials.ts';
import { arrange, sheetOf } from './sheet.ts';
import type { SheetForm, SheetLabel } from './sheet.ts';
import { MODULE_PIXELS_DEFAULT, drawPng, drawSymbol, svgFile } from './symbol.ts';
import type { Symbology } from './symbol.ts';

const SVG_TYPE = 'image/svg+xml';
const PNG_TYPE = 'image/png';
/** Of a picture and of a sheet: what stands in it loads nothing. */
const IMAGE_POLICY = "default-src 'none'";

const binary = { schema: { type: 'string', format: 'binary' } } as const;

export function labelRoutes(
  app: App,
  deps: {
    readonly reader: LedgerReader;
    /** Without a slash at the end. */
    readonly publicUrl: string;
  },
): void {
  const { publicUrl } = deps;
  const { database } = deps.reader;

  app.get(
    '/v1/lots/:lot_code/label',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Lots'],
        operationId: 'getLabel',
        summary: 'The QR code or GS1 DataMatrix of a lot, as SVG or PNG',
        description:
          'Whoever scans the QR code comes to the public page of the lot. A GTIN is set with ' +
          '`PUT /v1/products/{sku}`. A DataMatrix of a product without one, or of a lot code that GS1 does ' +
          'not allow, is a 400 that says so.',
        security: V1_SECURITY,
        params: LotCodeParams,
        querystring: LabelQuery,
        response: {
          200: { description: 'The picture', content: { [SVG_TYPE]: binary, [PNG_TYPE]: binary } },
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...V1_ERRORS,
        },
      },
    },
    async ({ tenantId, params, query }, reply) => {
      const { sku, serial, symbology = 'qr', format = 'svg' } = query;
      const subject = await getLabelSubject(database, { tenantId, lotCode: params.lot_code, sku });
      const { content } = labelOf(subject, { symbology, serial, publicUrl });
      void reply.header('Content-Security-Policy', IMAGE_POLICY);
      await nextWorkTurn();
      if (format === 'png') {
        const png = await drawPng(content, query.module_px ?? MODULE_PIXELS_DEFAULT);
        return reply.type(PNG_TYPE).send(png);
      }
      const symbol = await drawSymbol(content);
      return reply.type(SVG_TYPE).send(svgFile(symbol, query.module_mm ?? MODULE_MM_DEFAULT));
    },
  );

  app.get(
    '/v1/lots/:lot_code/label-sheet',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Lots'],
        operationId: 'getLabelSheet',
        summary: 'A sheet of labels of a lot to print, as one HTML file',
        description:
          'For A4 or letter, in columns and rows, with symbol, names, GTIN, lot and serial number. Print it ' +
          `at 100 %. At most ${LABELS_MAX} labels, and ${SERIALS_MAX} serial numbers.`,
        security: V1_SECURITY,
        params: LotCodeParams,
        querystring: SheetQuery,
        response: {
          200: {
            description: 'The document; it loads nothing',
            content: { 'text/html': { schema: Type.String({ title: 'Document' }) } },
          },
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...V1_ERRORS,
        },
      },
    },
    async ({ tenantId, params, query }, reply) => {
      const { sku, symbology = 'qr', paper = 'a4' } = query;
      const columns = query.columns ?? COLUMNS_DEFAULT;
      const rows = query.rows ?? ROWS_DEFAULT;
      const max = SERIALS_MAX;
      const serials = serialsBetween({ from: query.serial_from, to: query.serial_to, max });
      const copies = query.copies ?? (serials === undefined ? columns * rows : 1);
      if ((serials?.length ?? 1) * copies > LABELS_MAX) {
        const message = `A sheet has at most ${LABELS_MAX} labels, of all serial numbers together`;
        throw FieldsRefusal.of(['query', 'copies'], message, 'too_long');
      }
      const subject = await getLabelSubject(database, { tenantId, lotCode: params.lot_code, sku });
      const moduleMm = query.module_mm ?? MODULE_MM_DEFAULT;
      const form = { paper, columns, rows, moduleMm, copies };
      const labels = await drawLabels(subject, { serials, symbology, publicUrl, form });
      const sheet = sheetOf(labels, form);
      const styleHash = createHash('sha256').update(sheet.style).digest('base64');
      return reply
        .header('Content-Security-Policy', `${IMAGE_POLICY}; style-src 'sha256-${styleHash}'`)
        .type('text/html; charset=utf-8')
        .send(sheet.html.text);
    },
  );
}

/** @throws FieldsRefusal when a label has no room for its symbol */
async function drawLabels(
  subject: LabelSubject,
  asked: {
    readonly serials: readonly string[] | undefined;
    readonly symbology: Symbology;
    readonly publicUrl: string;
    readonly form: SheetForm;
  },
): Promise<readonly SheetLabel[]> {
  const labels: SheetLabel[] = [];
  for (const serial of asked.serials ?? [undefined]) {
    // A symbol takes some 20 ms: requests of others come between.
    await nextWorkTurn();
    const { content, lines } = labelOf(subject, { ...asked, serial });
    const symbol = await drawSymbol(content);
    const arrangement = arrange(asked.form, symbol);
    if (typeof arrangement !== 'string') {
      throw FieldsRefusal.of(['query', 'module_mm'], arrangement.fault, 'value_error');
    }
    labels.push({ symbol, title: titleOf(subject), subtitle: subject.brandName, lines });
  }
  return labels;
}

function titleOf({ names, sku }: LabelSubject): string {
  return names === undefined ? sku : chooseName(names, []).name;
}
