// GET /v1/lots/{lot_code}/label and /label-sheet: what leads from a package to the page of its lot.
import { Type } from '@lothub/kit/json-schema';
import { LotCodeParams, NOT_FOUND, RULE_BROKEN, V1_ERRORS, V1_SECURITY } from '../http.ts';
import type { App } from '../http.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { LABELS_MAX, LabelQuery, SERIALS_MAX, SheetQuery } from './schema.ts';
import { PNG_TYPE, SVG_TYPE, sendLabel, sendSheet } from './send.ts';

const binary = { schema: { type: 'string', format: 'binary' } } as const;

export function labelRoutes(
  app: App,
  deps: {
    readonly reader: LedgerReader;
    /** Without a slash at the end. */
    readonly publicUrl: string;
  },
): void {
  const labelDeps = { database: deps.reader.database, publicUrl: deps.publicUrl };

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
    async ({ tenantId, params, query }, reply) =>
      await sendLabel(reply, labelDeps, { tenantId, lotCode: params.lot_code, query }),
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
    async ({ tenantId, params, query }, reply) =>
      await sendSheet(reply, labelDeps, { tenantId, lotCode: params.lot_code, query }),
  );
}
