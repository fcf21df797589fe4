// Serves verifier.html, the verifier as one page that needs no hub. Its policy allows only its own
// script; it is made from the sources for the first request.
import { verifierPage } from '@lothub/verify/pack/verifier-page';
import type { VerifierPage } from '@lothub/verify/pack/verifier-page';
import type { App } from '../http.ts';

export const VERIFIER_PAGE_PATH = '/verifier.html';

export function verifierRoute(app: App): void {
  let page: VerifierPage | undefined;
  app.get(VERIFIER_PAGE_PATH, { schema: { hide: true } }, (_request, reply) => {
    page ??= verifierPage();
    return reply
      .header('Content-Security-Policy', page.policy)
      .header('Cache-Control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.html);
  });
}
