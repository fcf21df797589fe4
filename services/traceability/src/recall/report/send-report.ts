// Sends the report of a case as one page that may load nothing, for the interface and for pages of people.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { nextTurn } from '@lothub/kit/in-turns';
import type { FastifyReply } from 'fastify';
import { getCase } from '../case/move-case.ts';
import { readCaseReport, type ReportDeps } from './read-case-report.ts';
import { reportPage } from './report-page.ts';

/** Characters sent at a time. */
const CHUNK_CHARS_MIN = 32_768;

/**
 * Sends the report of a case, as it is written.
 * @throws Refusal `not_found`
 */
export async function sendReport(
  deps: ReportDeps,
  reply: Pick<FastifyReply, 'header'>,
  asked: { readonly tenantId: string; readonly caseNo: string },
): Promise<FastifyReply> {
  const { tenantId } = asked;
  const recallCase = await getCase(deps.reader.database, asked);
  const { style, pieces } = reportPage(await readCaseReport(deps, { tenantId, recallCase }));
  return reply
    .header('Content-Security-Policy', buildPolicy(style))
    .header('Content-Disposition', `inline; filename="${recallCase.caseNo}.html"`)
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(Readable.from(joinPieces(pieces())));
}

/**
 * Allows only the style sheet of the page, by its hash: no script, and nothing from other
 * addresses.
 */
function buildPolicy(style: string): string {
  const digest = createHash('sha256').update(style).digest('base64');
  return (
    `default-src 'none'; style-src 'sha256-${digest}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

async function* joinPieces(pieces: Iterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARS_MIN) continue;
    yield chunk;
    chunk = '';
    await nextTurn();
  }
  yield chunk;
}
