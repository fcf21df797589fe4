// Serves the addresses of GS1 Digital Link on packages, which redirect (GS1-Conformant Resolver
// Standard 1.2), and the page of a GTIN. Register it in a scope of its own.
import { LANGUAGES } from '@lothub/languages';
import { chooseMediaType } from '@lothub/kit/http/answer-form';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CONTEXT_HEADER,
  LINKSET_TYPE,
  LinksetSchema,
  linkHeader,
  listLinks,
  buildLinkset,
  readLinkType,
  resolverDescription,
} from '../../digital-link/linkset.ts';
import type { TypedLink } from '../../digital-link/linkset.ts';
import { resolve, type Resolution } from '../../digital-link/resolve.ts';
import { parseDigitalLink } from '../../digital-link/uri.ts';
import { Refusal } from '../../errors.ts';
import { BrandQuery, NOT_FOUND, PUBLIC_ERRORS, RULE_BROKEN, type App } from '../../http.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { Notices } from '../../lots/notices/notices.ts';
import type { Notice } from '../../lots/notices/schema.ts';
import { readGtin } from '../../lots/profiles/gs1.ts';
import { isForPerson } from '../error-page.ts';
import { sendPage } from '../layout.ts';
import type { WatchOffer } from '../watching/section.ts';
import { prepareReader } from '../words/reader.ts';
import { productPage, type OpenRecalls } from './page.ts';

export interface DigitalLinkDeps {
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly reader: LedgerReader;
  readonly notices: Notices;
  readonly gate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** The ways of notifying people of recalls; undefined: none. */
  readonly watchOffer: WatchOffer | undefined;
}

const DIGITAL_LINKS = '/01/*';
const DESCRIPTION = '/.well-known/gs1resolver';
/** The permissions of a page of another origin (resolver standard, section 2.2). */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Link, Location, Retry-After',
};
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Accept, Accept-Language',
  'Access-Control-Max-Age': '86400',
};
/** Maximum length of a lot code in a form. */
const LOT_TEXT_MAX = 200;
const LINK_TYPE_MAX = 200;
/**
 * Maximum number of brands with a GTIN whose recalls are read, and of the newest recalls of each.
 */
const BRANDS_LOOKED_AT_MAX = 10;
const RECALLS_LOOKED_AT_MAX = 50;

export function digitalLinkRoutes(app: App, deps: DigitalLinkDeps): void {
  linkRoute(app, deps);
  descriptionRoute(app, deps);
  pageRoute(app, deps);
}

function linkRoute(app: App, deps: DigitalLinkDeps): void {
  const { publicUrl } = deps;
  app.get(
    DIGITAL_LINKS,
    {
      onRequest: deps.gate,
      schema: {
        tags: ['Public'],
        operationId: 'followDigitalLink',
        summary: 'Follow a GS1 Digital Link to the lot or product that it names',
        description:
          'After `/01/` come a GTIN and, as they apply, `22/{variant}`, `10/{lot}` and `21/{serial}`, or ' +
          '`235/{number}` alone. The answer is a redirect to the page of the lot. `linkType=linkset`, or ' +
          '`Accept: application/linkset+json`, answers all links instead, another `linkType` leads to the ' +
          'link of that type. A GTIN is the claim of a brand: where several make it, the page asks which.',
        params: Type.Object({
          '*': Type.String({
            description: 'GTIN and qualifiers; their values are percent-encoded',
            examples: ['04006381333931/10/BREAD-0302'],
          }),
        }),
        querystring: Type.Object({
          linkType: Type.Optional(
            Type.String({
              maxLength: LINK_TYPE_MAX,
              description: '`linkset`, or a type such as `gs1:recallStatus`',
            }),
          ),
          brand: BrandQuery,
        }),
        response: {
          200: {
            description: 'All links (RFC 9264)',
            content: { [LINKSET_TYPE]: { schema: LinksetSchema } },
          },
          300: {
            description: 'Several links have the type that was asked for',
            content: { [LINKSET_TYPE]: { schema: LinksetSchema } },
          },
          307: { type: 'null', description: 'To the link that was asked for, with the same query' },
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...PUBLIC_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { query, headers } = request;
      void reply.headers({ ...CORS, Vary: 'Accept' });
      const link = parseDigitalLink(cutQuery(request.url));
      if ('fault' in link) throw new Refusal('rule_broken', link.fault);
      const resolution = await resolveLink(deps, { link, brandId: query.brand });
      const links = listLinks(resolution, publicUrl);
      const [first] = links;
      if (first === undefined) return await answerUnknown(resolution, { request, reply, deps });
      const asked = readLinkType(query.linkType);
      const sendAll = (status: 200 | 300) => {
        const options = { publicUrl, languages: LANGUAGES };
        return reply
          .code(status)
          .header('Link', CONTEXT_HEADER)
          .type(LINKSET_TYPE)
          .send(JSON.stringify(buildLinkset(resolution, links, options)));
      };
      if (asked.kind === 'linkset') return sendAll(200);
      if (asked.kind === 'default' && wantsLinkset(headers.accept)) return sendAll(200);
      const targets =
        asked.kind === 'default' ? [first] : listTargets(links, asked, headers.accept);
      const [target] = targets;
      void reply.header('Link', linkHeader(resolution, links, publicUrl));
      if (target === undefined) {
        throw new Refusal(
          'not_found',
          'Nothing of this link type is known: ask for linkType=linkset',
        );
      }
      if (targets.length > 1) return sendAll(300);
      return reply.redirect(withQuery(target.href, request.url), 307);
    },
  );
  app.options(DIGITAL_LINKS, { schema: { hide: true } }, preflight);
}

function descriptionRoute(app: App, deps: DigitalLinkDeps): void {
  const description = resolverDescription(deps);
  app.get(
    DESCRIPTION,
    {
      schema: {
        tags: ['Public'],
        operationId: 'describeResolver',
        summary: 'What this hub resolves of GS1 Digital Link',
        response: {
          200: Type.Object(
            {
              name: Type.String(),
              resolverRoot: Type.String(),
              supportedPrimaryKeys: Type.Array(Type.String()),
              supportedLinkType: Type.Array(
                Type.Object({ namespace: Type.String(), prefix: Type.String() }),
              ),
              linkTypeDefaultCanBeLinkset: Type.Boolean(),
              jsonLdContextLocation: Type.String(),
              contact: Type.Object({ fn: Type.String() }),
            },
            { title: 'ResolverDescription' },
          ),
        },
      },
    },
    (_request, reply) => reply.headers(CORS).send(description),
  );
  app.options(DESCRIPTION, { schema: { hide: true } }, preflight);
}

function pageRoute(app: App, deps: DigitalLinkDeps): void {
  app.get(
    '/product/:gtin',
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        params: Type.Object({ gtin: Type.String({ maxLength: LINK_TYPE_MAX }) }),
        querystring: Type.Object({
          lot_code: Type.Optional(Type.String({ maxLength: LOT_TEXT_MAX, pattern: TEXT_PATTERN })),
          brand: BrandQuery,
        }),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const gtin = readGtin(params.gtin);
      if (typeof gtin !== 'string') throw new Refusal('not_found', gtin.fault);
      const { lot_code: lotCode = '' } = query;
      const link = { gtin, ...(lotCode === '' ? {} : { lotCode }) };
      const resolution = await resolveLink(deps, { link, brandId: query.brand });
      const reader = prepareReader(request, reply);
      const openRecalls = await readOpenRecalls(deps, resolution);
      const { watchOffer } = deps;
      const { page, status } = productPage(resolution, { openRecalls, watchOffer }, reader);
      return sendPage(reply, page, { ...deps, status, reader });
    },
  );
}

function resolveLink(
  deps: DigitalLinkDeps,
  asked: Parameters<typeof resolve>[1],
): Promise<Resolution> {
  return resolve({ database: deps.reader.database, publicUrl: deps.publicUrl }, asked);
}

/** A page for people, and what every endpoint answers for programs. */
async function answerUnknown(
  resolution: Resolution,
  { request, reply, deps }: { request: FastifyRequest; reply: FastifyReply; deps: DigitalLinkDeps },
): Promise<FastifyReply> {
  if (!isForPerson(request, reply, 'json')) {
    const { similar } = resolution;
    throw new Refusal('not_found', 'No product of this GTIN, and no such lot of it, is known', {
      similar,
    });
  }
  const reader = prepareReader(request, reply);
  const openRecalls = await readOpenRecalls(deps, resolution);
  const { page, status } = productPage(
    resolution,
    { openRecalls, watchOffer: deps.watchOffer },
    reader,
  );
  return sendPage(reply, page, { ...deps, status, reader });
}

/** Reads the newest open recalls of each brand that cover one of the products with the GTIN. */
async function readOpenRecalls(
  { notices }: DigitalLinkDeps,
  { claims }: Resolution,
): Promise<OpenRecalls> {
  const found = new Map<string, readonly Notice[]>();
  const brands = [...Map.groupBy(claims, ({ brand }) => brand.id)].slice(0, BRANDS_LOOKED_AT_MAX);
  for (const [brandId, ofBrand] of brands) {
    const skus = new Set(ofBrand.map(({ sku }) => sku));
    const page = await notices.page({
      brand: brandId,
      lotCode: undefined,
      before: undefined,
      limit: RECALLS_LOOKED_AT_MAX,
    });
    const open = page.notices.filter((notice) => notice.product_skus.some((sku) => skus.has(sku)));
    if (open.length > 0) found.set(brandId, open);
  }
  return found;
}

/** Lists the links of a type that have the wanted media type; all of the type if none has it. */
function listTargets(
  links: readonly TypedLink[],
  asked: ReturnType<typeof readLinkType>,
  accept: string | undefined,
): readonly TypedLink[] {
  if (asked.kind !== 'typed') return [];
  const typed = links.filter(({ linkType }) => linkType === asked.linkType);
  const wanted = wantsLinkset(accept) ? 'application/json' : 'text/html';
  const ofMedia = typed.filter(({ mediaType }) => mediaType === wanted);
  return ofMedia.length > 0 ? ofMedia : typed;
}

/**
 * Whether the request prefers all links to the page that they lead to first. `application/json` is
 * what generic programs send (resolver standard, section 2.10).
 */
function wantsLinkset(accept: string | undefined): boolean {
  const offered = ['text/html', LINKSET_TYPE, 'application/json'];
  return (chooseMediaType(accept, offered) ?? 'text/html') !== 'text/html';
}

function preflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({ ...CORS, ...PREFLIGHT })
    .send();
}

function cutQuery(url: string): string {
  const [path = '/'] = url.split('?', 1);
  return path;
}

/**
 * Adds the whole query of the request to the target; parameters of the target stay (resolver
 * standard, section 2.12).
 */
function withQuery(href: string, url: string): string {
  const start = url.indexOf('?');
  const target = new URL(href);
  if (start === -1) return href;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (!target.searchParams.has(name)) target.searchParams.append(name, value);
  }
  return target.href;
}
