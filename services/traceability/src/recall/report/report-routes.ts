// GET /v1/recall/cases/{case_no}/report (interface document, section 4).
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { nextTurn } from '@lothub/kit/in-turns';
import { Type } from '@lothub/kit/json-schema';
import { CaseNoParams, NOT_FOUND, V1_ERRORS, V1_SECURITY } from '../../http.ts';
import type { App } from '../../http.ts';
import { getCase } from '../case/move-case.ts';
import { readCaseReport } from './read-case-report.ts';
import type { ReportDeps } from './read-case-report.ts';
import { reportPage } from './report-page.ts';

/** Characters sent at a time. */
const CHUNK_CHARS_MIN = 32_768;

export function reportRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/v1/recall/cases/:case_no/report',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Recall'],
        operationId: 'getCaseReport',
        summary: 'The report of a recall case, to be printed',
        description:
          'One HTML page that needs nothing else, for A4 and Letter. It names customers and people: ' +
          'keep it as confidential as they are.',
        security: V1_SECURITY,
        params: CaseNoParams,
        response: {
          200: {
            description: 'The report',
            content: { 'text/html': { schema: Type.String({ title: 'CaseReport' }) } },
          },
          ...NOT_FOUND,
          ...V1_ERRORS,
        },
      },
    },
    async ({ tenantId, params }, reply) => {
      const { database } = deps.reader;
      const recallCase = await getCase(database, { tenantId, caseNo: params.case_no });
      const { style, pieces } = reportPage(await readCaseReport(deps, { tenantId, recallCase }));
      return reply
        .header('Content-Security-Policy', policyOf(style))
        .header('Content-Disposition', `inline; filename="${recallCase.caseNo}.html"`)
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(Readable.from(chunksOf(pieces())));
    },
  );
}

/** Nothing but the one style sheet of the page, to the letter: no script, and nothing from elsewhere. */
function policyOf(style: string): string {
  const digest = createHash('sha256').update(style).digest('base64');
  return (
    `default-src 'none'; style-src 'sha256-${digest}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

async function* chunksOf(pieces: Iterable<string>): AsyncGenerator<string> {
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
