// `/v1/admin/*`: what only the operator's own staff may see. Every path under it asks for the admin
// key first, so that nobody else learns which of them exist.
import { Refusal } from '../errors.ts';
import type { App } from '../http.ts';

export function adminRoutes(app: App): void {
  app.all('/v1/admin/*', { schema: { hide: true } }, () => {
    throw new Refusal('not_found', 'There is nothing at this path: see /docs');
  });
}
