// Serves what browsers and search engines request from every site: icon, manifest, robots.txt and
// sitemap.
import { readFileSync } from 'node:fs';
import { MANIFEST_TYPE, manifestText } from '@lothub/design/manifest';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { App } from '../../http.ts';
import type { ShownRecalls } from '../../lots/notices/shown.ts';
import { ICON } from '../assets.ts';
import { ICON_PNG_PATH, MANIFEST_PATH } from './site-paths.ts';
import { countSitemapFiles, sitemapFile, sitemapIndex, toCaseRange } from './sitemap.ts';

const XML_TYPE = 'application/xml; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
/** They change with a new version alone, and have no hash in their address. */
const A_DAY = 'public, max-age=86400';

/**
 * No search engine needs these to find a page, and reading them all costs time: interfaces,
 * searches, the inbox beside the hub.
 */
const NOT_FOR_ROBOTS = ['/v1/', '/api/', '/inbox', '/log/', '/public/', '/explorer/search'];

const hide = { hide: true };

/** Serves icon, manifest and robots.txt, which never change while the service runs. */
export function siteFileRoutes(
  app: App,
  { hubName, publicUrl }: { readonly hubName: string; readonly publicUrl: string },
): void {
  const png = readFileSync(new URL('icon-192.png', import.meta.url));
  const manifest = manifestText({ name: hubName, start: '/', svg: ICON.path, png: ICON_PNG_PATH });
  const robots = [
    'User-agent: *',
    ...NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
  // Browsers request the first address on every site, and find the type in the bytes.
  for (const path of ['/favicon.ico', ICON_PNG_PATH]) {
    app.get(path, { schema: hide }, (_request, reply) =>
      reply.header('Cache-Control', A_DAY).type('image/png').send(png),
    );
  }
  app.get(MANIFEST_PATH, { schema: hide }, (_request, reply) =>
    reply.header('Cache-Control', A_DAY).type(MANIFEST_TYPE).send(manifest),
  );
  app.get('/robots.txt', { schema: hide }, (_request, reply) => reply.type(TEXT_TYPE).send(robots));
}

export function sitemapRoutes(
  app: App,
  deps: {
    readonly publicUrl: string;
    readonly shown: ShownRecalls;
    readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  },
): void {
  const { publicUrl, shown, gate } = deps;
  const readFile = async (file: number): Promise<string> => {
    const cases = await shown.numbersBetween(toCaseRange(file));
    return sitemapFile(publicUrl, { file, cases });
  };

  app.get('/sitemap.xml', { onRequest: gate, schema: hide }, async (_request, reply) => {
    const files = countSitemapFiles(await shown.newestId());
    const text = files === 1 ? await readFile(0) : sitemapIndex(publicUrl, files);
    return reply.type(XML_TYPE).send(text);
  });
  app.get(
    '/sitemap/:file.xml',
    {
      onRequest: gate,
      schema: { ...hide, params: Type.Object({ file: Type.Integer({ minimum: 0 }) }) },
    },
    async ({ params }, reply) => {
      const isThere = params.file < countSitemapFiles(await shown.newestId());
      if (!isThere) throw new Refusal('not_found', 'There is no such part of the sitemap');
      return reply.type(XML_TYPE).send(await readFile(params.file));
    },
  );
}
