// Answers with the label of a lot: its symbol as a picture, or a sheet of labels to print.
import { createHash } from 'node:crypto';
import type { DatabaseReader } from '@lothub/kit/database';
import { nextWorkTurn } from '@lothub/kit/in-turns';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { FieldsRefusal } from '../errors.ts';
import { chooseName } from '../lots/profiles/language.ts';
import { buildLabel, getLabelSubject, type LabelSubject } from './label.ts';
import {
  COLUMNS_DEFAULT,
  LABELS_MAX,
  MODULE_MM_DEFAULT,
  ROWS_DEFAULT,
  SERIALS_MAX,
} from './schema.ts';
import type { LabelQuery, SheetQuery } from './schema.ts';
import { serialsBetween } from './serials.ts';
import { arrange, renderSheet, type SheetForm, type SheetLabel } from './sheet.ts';
import { MODULE_PIXELS_DEFAULT, drawPng, drawSymbol, svgFile, type Symbology } from './symbol.ts';

export const SVG_TYPE = 'image/svg+xml';
export const PNG_TYPE = 'image/png';
/** For pictures and sheets: their content loads nothing. */
const IMAGE_POLICY = "default-src 'none'";

export interface LabelDeps {
  readonly database: DatabaseReader;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

interface OfLot<Query> {
  readonly tenantId: string;
  readonly lotCode: string;
  readonly query: Query;
}

/**
 * Sends the symbol of a lot as SVG or PNG.
 * @throws as `getLabelSubject` and `buildLabel`
 */
export async function sendLabel(
  reply: FastifyReply,
  { database, publicUrl }: LabelDeps,
  { tenantId, lotCode, query }: OfLot<Static<typeof LabelQuery>>,
): Promise<FastifyReply> {
  const { sku, serial, symbology = 'qr', format = 'svg' } = query;
  const subject = await getLabelSubject(database, { tenantId, lotCode, sku });
  const { content } = buildLabel(subject, { symbology, serial, publicUrl });
  void reply.header('Content-Security-Policy', IMAGE_POLICY);
  await nextWorkTurn();
  if (format === 'png') {
    const png = await drawPng(content, query.module_px ?? MODULE_PIXELS_DEFAULT);
    return reply.type(PNG_TYPE).send(png);
  }
  const symbol = await drawSymbol(content);
  return reply.type(SVG_TYPE).send(svgFile(symbol, query.module_mm ?? MODULE_MM_DEFAULT));
}

/**
 * Sends a sheet of labels as one HTML file.
 * @throws as `sendLabel`; FieldsRefusal when there would be too many labels, or a label has no room
 */
export async function sendSheet(
  reply: FastifyReply,
  { database, publicUrl }: LabelDeps,
  { tenantId, lotCode, query }: OfLot<Static<typeof SheetQuery>>,
): Promise<FastifyReply> {
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
  const subject = await getLabelSubject(database, { tenantId, lotCode, sku });
  const moduleMm = query.module_mm ?? MODULE_MM_DEFAULT;
  const form = { paper, columns, rows, moduleMm, copies };
  const labels = await drawLabels(subject, { serials, symbology, publicUrl, form });
  const sheet = renderSheet(labels, form);
  const styleHash = createHash('sha256').update(sheet.style).digest('base64');
  return reply
    .header('Content-Security-Policy', `${IMAGE_POLICY}; style-src 'sha256-${styleHash}'`)
    .type('text/html; charset=utf-8')
    .send(sheet.html.text);
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
    const { content, lines } = buildLabel(subject, { ...asked, serial });
    const symbol = await drawSymbol(content);
    const arrangement = arrange(asked.form, symbol);
    if (typeof arrangement !== 'string') {
      throw FieldsRefusal.of(['query', 'module_mm'], arrangement.fault, 'value_error');
    }
    labels.push({ symbol, title: chooseTitle(subject), subtitle: subject.brandName, lines });
  }
  return labels;
}

function chooseTitle({ names, sku }: LabelSubject): string {
  return names === undefined ? sku : chooseName(names, []).name;
}
