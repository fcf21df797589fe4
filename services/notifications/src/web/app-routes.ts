// What makes the inbox an app: manifest, icons, and the service worker at the address that its scope needs.
import { MANIFEST_TYPE, manifestText } from '@lothub/design/manifest';
import { PAGES_PREFIX, type App } from '../http.ts';
import {
  APP_ICONS,
  ICON,
  ICON_PNG,
  ICON_PNG_PATH,
  MANIFEST_PATH,
  WORKER,
  WORKER_PATH,
} from './assets.ts';

/** They change with a new version alone, and have no hash in their address. */
const A_DAY = 'public, max-age=86400';
/** A worker speaks with this service alone. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

export function appRoutes(app: App): void {
  const hide = { schema: { hide: true } };
  const icons = [{ path: ICON_PNG_PATH, bytes: ICON_PNG }, ...APP_ICONS];
  for (const { path, bytes } of icons) {
    app.get(path, hide, (_request, reply) =>
      reply.header('Cache-Control', A_DAY).type('image/png').send(bytes),
    );
  }
  const manifest = inboxManifest();
  app.get(MANIFEST_PATH, hide, (_request, reply) =>
    reply.header('Cache-Control', A_DAY).type(MANIFEST_TYPE).send(manifest),
  );
  app.get(WORKER_PATH, hide, (_request, reply) =>
    reply
      // Browsers request it at each visit, and a newer one becomes active at once.
      .header('Cache-Control', 'no-cache')
      .header('Service-Worker-Allowed', PAGES_PREFIX)
      .header('Content-Security-Policy', WORKER_POLICY)
      .header('X-Content-Type-Options', 'nosniff')
      .type(WORKER.mediaType)
      .send(WORKER.text),
  );
}

function inboxManifest(): string {
  const type = 'image/png';
  const purpose = 'maskable';
  return manifestText({
    name: 'Inbox',
    start: PAGES_PREFIX,
    svg: ICON.path,
    png: ICON_PNG_PATH,
    display: 'standalone',
    moreIcons: [
      { src: `${PAGES_PREFIX}/icon-512.png`, sizes: '512x512', type },
      { src: `${PAGES_PREFIX}/maskable-192.png`, sizes: '192x192', type, purpose },
      { src: `${PAGES_PREFIX}/maskable-512.png`, sizes: '512x512', type, purpose },
    ],
    shortcuts: [
      { name: 'Unread', url: `${PAGES_PREFIX}?unread=true` },
      { name: 'Critical', url: `${PAGES_PREFIX}?severity=critical` },
      { name: 'My settings', url: `${PAGES_PREFIX}/me` },
    ],
  });
}
