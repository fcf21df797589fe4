// Answers that are CSV files: described alike, sent alike, and written as they are read, whatever their size.
import { Readable } from 'node:stream';
import { BYTE_ORDER_MARK, csvRow, type Cell } from '@lothub/kit/csv';
import type { FastifyReply } from 'fastify';
import { Type } from '@lothub/kit/json-schema';

export type Row = readonly Cell[];

/** OpenAPI: a file of rows below a header. */
export const csvAnswer = (description: string) => ({
  description,
  content: { 'text/csv': { schema: Type.String({ title: 'Csv' }) } },
});

/** What is written of every file, for the description of its endpoint. */
export const CSV_FORM =
  'UTF-8 with a byte order mark, commas, CRLF. A text that a spreadsheet would run as a formula begins ' +
  'with an apostrophe. An answer that breaks off is not complete.';

/**
 * Sends rows as they come; the next ones are read when the client has taken these. The first page is read
 * before anything is sent, so that what refuses the request is still an answer of its own.
 */
export async function sendCsv(
  reply: FastifyReply,
  file: {
    /** Without its extension. */
    readonly name: string;
    readonly columns: readonly string[];
    readonly pages: AsyncGenerator<readonly Row[]>;
  },
): Promise<FastifyReply> {
  const first = await file.pages.next();
  return reply
    .header('Content-Disposition', `attachment; filename="${file.name}.csv"`)
    .header('Cache-Control', 'no-store')
    .type('text/csv; charset=utf-8')
    .send(Readable.from(writeChunks(file, first)));
}

async function* writeChunks(
  {
    columns,
    pages,
  }: { readonly columns: readonly string[]; readonly pages: AsyncGenerator<readonly Row[]> },
  first: IteratorResult<readonly Row[], unknown>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(columns);
  if (first.done === true) return;
  yield first.value.map(csvRow).join('');
  for await (const rows of pages) yield rows.map(csvRow).join('');
}
