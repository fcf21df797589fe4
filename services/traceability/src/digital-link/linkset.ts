// What is linked to the product or lot of a Digital Link: as a set of links (RFC 9264) in the form of the
// GS1-Conformant Resolver Standard 1.2 (section 2.10), and as the header field `Link` (RFC 8288). Pure.
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { isLanguage, pathInLanguage } from '@lothub/languages';
import { lotPath } from '../lots/lot-path.ts';
import type { Names } from '../lots/profiles/names.ts';
import { chooseDestination, type Destination, type Resolution } from './resolve.ts';
import { digitalLinkPath } from './uri.ts';

export const LINKSET_TYPE = 'application/linkset+json';
const HTML_TYPE = 'text/html' as const;
const JSON_TYPE = 'application/json' as const;

/** The vocabulary of GS1, as linksets name it. */
export const GS1_VOCABULARY = 'https://gs1.org/voc/';
/** All ways to name it in a request (resolver standard, section 2.14). */
const VOCABULARY_NAMES = ['gs1:', GS1_VOCABULARY, 'https://ref.gs1.org/voc/'];
const LINKSET_CONTEXT = 'https://ref.gs1.org/standards/resolver/linkset-context';

/** Types of links of this hub, each by its name in the vocabulary. */
export const LINK_TYPES = ['defaultLink', 'pip', 'recallStatus', 'traceability'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

export interface TypedLink {
  readonly linkType: LinkType;
  readonly href: string;
  readonly title: string;
  /** What the brand calls the product, by language; only of a page. */
  readonly names?: Names;
  readonly mediaType: typeof HTML_TYPE | typeof JSON_TYPE;
}

/** Languages of the pages, as tags of BCP 47. */
export type PageLanguages = readonly string[];

const LinkTarget = Type.Object(
  {
    href: Type.String(),
    title: Type.String(),
    type: Type.String(),
    hreflang: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'LinkTarget' },
);

export const LinksetSchema = Type.Object(
  {
    linkset: Type.Array(
      Type.Object(
        {
          anchor: Type.String({ description: 'The Digital Link that the links are about' }),
          description: Type.Optional(Type.String()),
          ...Object.fromEntries(
            LINK_TYPES.map((name) => [
              GS1_VOCABULARY + name,
              Type.Optional(Type.Array(LinkTarget, { description: `Links of type gs1:${name}` })),
            ]),
          ),
        },
        { title: 'LinkContext' },
      ),
    ),
  },
  { title: 'Linkset' },
);
export type Linkset = Static<typeof LinksetSchema>;

/**
 * The links of what was resolved, the default first: it is where a browser is led.
 * @param publicUrl without a slash at the end
 */
export function listLinks(resolution: Resolution, publicUrl: string): readonly TypedLink[] {
  const destination = chooseDestination(resolution);
  if (destination.kind === 'unknown') return [];
  const first = {
    linkType: 'defaultLink' as const,
    href: publicUrl + destinationPath(destination, resolution),
    title: 'What is known of it, for people',
    mediaType: HTML_TYPE as typeof HTML_TYPE,
  };
  return [first, ...listOtherLinks(destination, resolution, publicUrl)];
}

/** The path of the page that a link leads to. */
export function destinationPath(
  destination: Exclude<Destination, { readonly kind: 'unknown' }>,
  { link, brandId }: Resolution,
): string {
  switch (destination.kind) {
    case 'lot':
      return lotPath(destination.lotCode, destination.brandId);
    case 'code':
      return lotPath(destination.lotCode, brandId);
    case 'product':
      return productPath(link.gtin, { lotCode: destination.lotCode, brandId });
  }
}

/** The path of the page of a GTIN, where people choose the brand or enter the lot. */
export function productPath(
  gtin: string,
  asked: { readonly lotCode?: string | undefined; readonly brandId?: string | undefined } = {},
): string {
  const query = new URLSearchParams();
  if (asked.lotCode !== undefined) query.set('lot_code', asked.lotCode);
  if (asked.brandId !== undefined) query.set('brand', asked.brandId);
  return `/product/${gtin}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

function listOtherLinks(
  destination: Exclude<Destination, { readonly kind: 'unknown' }>,
  resolution: Resolution,
  publicUrl: string,
): readonly TypedLink[] {
  const { link, claims, lots } = resolution;
  const { lotCode } = link;
  if (lotCode === undefined) {
    const page = publicUrl + destinationPath(destination, resolution);
    return [
      ...claims.map(({ brand, sku, names }) => ({
        linkType: 'pip' as const,
        href: publicUrl + productPath(link.gtin, { brandId: brand.id }),
        title: `Product ${sku} of ${brand.name}`,
        names,
        mediaType: HTML_TYPE,
      })),
      {
        linkType: 'recallStatus' as const,
        href: `${publicUrl}/recalls?${new URLSearchParams({ q: link.gtin }).toString()}`,
        title: 'Recalls of the product',
        mediaType: HTML_TYPE,
      },
      {
        linkType: 'traceability' as const,
        href: page,
        title: 'Choose a lot',
        mediaType: HTML_TYPE,
      },
    ];
  }
  const brands = lots.length === 0 ? [resolution.brandId] : lots.map(({ brandId }) => brandId);
  return brands.flatMap((brandId) => {
    const sku = lots.find((lot) => lot.brandId === brandId)?.productSku;
    const claim = claims.find((one) => one.brand.id === brandId && one.sku === sku);
    return linksOfLot({ lotCode, brandId, names: claim?.names, publicUrl });
  });
}

function linksOfLot(lot: {
  readonly lotCode: string;
  readonly brandId: string | undefined;
  readonly names: Names | undefined;
  readonly publicUrl: string;
}): readonly TypedLink[] {
  const { lotCode, brandId, names, publicUrl } = lot;
  const subject = brandId === undefined ? `lot ${lotCode}` : `lot ${lotCode} of ${brandId}`;
  const brand =
    brandId === undefined ? '' : `?${new URLSearchParams({ brand: brandId }).toString()}`;
  const notices = new URLSearchParams({
    ...(brandId === undefined ? {} : { brand: brandId }),
    lot_code: lotCode,
  }).toString();
  return [
    {
      linkType: 'pip',
      href: publicUrl + lotPath(lotCode, brandId),
      title: `Page of ${subject}`,
      ...(names === undefined ? {} : { names }),
      mediaType: HTML_TYPE,
    },
    {
      linkType: 'traceability',
      href: publicUrl + lotPath(lotCode, brandId),
      title: `Where ${subject} comes from`,
      mediaType: HTML_TYPE,
    },
    {
      linkType: 'traceability',
      href: `${publicUrl}/public/verify/${encodeURIComponent(lotCode)}${brand}`,
      title: `What was recorded of ${subject}, with its proof`,
      mediaType: JSON_TYPE,
    },
    {
      linkType: 'recallStatus',
      href: `${publicUrl}/recalls?${notices}`,
      title: `Recalls of ${subject}`,
      mediaType: HTML_TYPE,
    },
    {
      linkType: 'recallStatus',
      href: `${publicUrl}/public/notices?${notices}`,
      title: `Open recall notices of ${subject}`,
      mediaType: JSON_TYPE,
    },
  ];
}

/** @param publicUrl without a slash at the end */
export function buildLinkset(
  { link }: Pick<Resolution, 'link'>,
  links: readonly TypedLink[],
  options: { readonly publicUrl: string; readonly languages: PageLanguages },
): Linkset {
  const byType = Map.groupBy(links, ({ linkType }) => linkType);
  return {
    linkset: [
      {
        anchor: options.publicUrl + digitalLinkPath(link),
        ...Object.fromEntries(
          [...byType].map(([linkType, typed]) => [
            GS1_VOCABULARY + linkType,
            typed.flatMap((link) => buildTargets(link, options.languages)),
          ]),
        ),
      },
    ],
  };
}

/** A link in all languages of the pages, and in each that the brand names the product in, under that name. */
function buildTargets({ href, title, names = {}, mediaType }: TypedLink, languages: PageLanguages) {
  const target = { href, title, type: mediaType };
  if (mediaType !== HTML_TYPE) return [target];
  return [
    { ...target, hreflang: [...languages] },
    ...languages.filter(isLanguage).flatMap((language) => {
      const name = names[language];
      if (name === undefined) return [];
      const path = pathInLanguage(href, language);
      return [{ ...target, href: path, title: name, hreflang: [language] }];
    }),
  ];
}

/** For a redirect: where all links are, and the links themselves. */
export function linkHeader(
  { link }: Pick<Resolution, 'link'>,
  links: readonly TypedLink[],
  publicUrl: string,
): string {
  const all = `<${publicUrl}${digitalLinkPath(link)}?linkType=linkset>; rel="linkset"; type="${LINKSET_TYPE}"`;
  const each = links
    .slice(0, HEADER_LINKS_MAX)
    .map(
      ({ href, linkType, mediaType }) =>
        `<${href}>; rel="${GS1_VOCABULARY}${linkType}"; type="${mediaType}"`,
    );
  return [all, ...each].join(', ');
}

/** Links that the header field names: proxies refuse large headers, and the set has all of them. */
const HEADER_LINKS_MAX = 12;

/** The header that turns a linkset into JSON-LD (resolver standard, section 2.10). */
export const CONTEXT_HEADER = `<${LINKSET_CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`;

/** What a request wants to have of a link. */
export type LinkAsked =
  | { readonly kind: 'default' }
  | { readonly kind: 'linkset' }
  | { readonly kind: 'typed'; readonly linkType: LinkType }
  /** A type that no link of this hub has. */
  | { readonly kind: 'unknown' };

/** @param linkType of the query; `all` is what `linkset` was called before version 1.2 of the standard */
export function readLinkType(linkType: string | undefined): LinkAsked {
  if (linkType === undefined || linkType === '') return { kind: 'default' };
  if (linkType === 'linkset' || linkType === 'all') return { kind: 'linkset' };
  const vocabulary = VOCABULARY_NAMES.find((name) => linkType.startsWith(name));
  const name = vocabulary === undefined ? linkType : linkType.slice(vocabulary.length);
  const known = LINK_TYPES.find((one) => one === name);
  return known === undefined ? { kind: 'unknown' } : { kind: 'typed', linkType: known };
}

/** The file at `/.well-known/gs1resolver` (resolver standard, section 3). */
export function resolverDescription(hub: { readonly hubName: string; readonly publicUrl: string }) {
  return {
    name: hub.hubName,
    resolverRoot: hub.publicUrl,
    supportedPrimaryKeys: ['01'],
    supportedLinkType: [{ namespace: GS1_VOCABULARY, prefix: 'gs1:' }],
    linkTypeDefaultCanBeLinkset: false,
    jsonLdContextLocation: LINKSET_CONTEXT,
    contact: { fn: hub.hubName },
  };
}
