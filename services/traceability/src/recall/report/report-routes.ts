// GET /v1/recall/cases/{case_no}/report (docs/interface/traceability.md#report).
import { Type } from '@lothub/kit/json-schema';
import { CaseNoParams, NOT_FOUND, V1_ERRORS, V1_SECURITY, type App } from '../../http.ts';
import type { ReportDeps } from './read-case-report.ts';

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
      // With the first report and not at the top: its page is 19 modules, which a start does not need.
      const { sendReport } = await import('./send-report.ts');
      return await sendReport(deps, reply, { tenantId, caseNo: params.case_no });
    },
  );
}
