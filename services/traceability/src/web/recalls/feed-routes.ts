// GET /recalls.atom and /recalls.json: all recall notices, each change of one as an update of its entry.
import { LANGUAGES, type Language } from '@lothub/languages';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PUBLIC_ERRORS, type App } from '../../http.ts';
import type { ShownRecalls } from '../../lots/notices/shown.ts';
import { readerIn } from '../words/reader.ts';
import { renderAtom } from './atom.ts';
import { FEED_FORMS, FEED_LANGUAGE_DEFAULT, feedPath, type FeedForm } from './feed-path.ts';
import { buildFeedEntry, buildFeedId, type Feed } from './feed.ts';

/** Entries of a page. */
export const FEED_ENTRIES_MAX = 50;
/** `2026-03-04T09:30:41.220Z,RC-2026-0001`: when an entry changed, and its case. */
const AFTER_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z,RC-[0-9]{4}-[0-9]{4,15}$';
const MS_PER_SECOND = 1_000;

interface FeedDeps {
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  readonly shown: ShownRecalls;
  readonly chainId: () => Promise<string>;
  /** The time of the last change of a feed without entries. */
  readonly startedAt: string;
}

const ABOUT: Readonly<Record<FeedForm, string>> = {
  atom: 'Recall notices as an Atom feed',
  json: 'Recall notices as a JSON Feed',
};

export function feedRoutes(app: App, deps: FeedDeps): void {
  for (const { form, mediaType } of FEED_FORMS) {
    app.get(
      `/recalls.${form}`,
      {
        schema: {
          tags: ['Public'],
          operationId: form === 'atom' ? 'atomFeed' : 'jsonFeed',
          summary: ABOUT[form],
          description:
            'Open cases, and for a year those that were closed or cancelled; what changed last comes first. The id of ' +
            'an entry stays the same whatever becomes of its case.',
          querystring: Type.Object({
            lang: Type.Optional(
              Type.Enum([...LANGUAGES], {
                default: FEED_LANGUAGE_DEFAULT,
                description: 'Of all that the brand does not write itself',
              }),
            ),
            after: Type.Optional(
              Type.String({ pattern: AFTER_PATTERN, description: 'Of the link to the next page' }),
            ),
          }),
          response: {
            200: { description: 'The feed', content: { [mediaType]: { schema: Type.String() } } },
            ...PUBLIC_ERRORS,
          },
        },
      },
      async (request, reply) => {
        const { lang = FEED_LANGUAGE_DEFAULT, after } = request.query;
        const feed = await readFeed(deps, { form, language: lang, after });
        void reply.header('Last-Modified', new Date(feed.updatedAt).toUTCString());
        if (isUnchanged(request, feed)) return reply.code(304).send();
        return send(
          reply,
          form === 'atom' ? renderAtom(feed) : JSON.stringify(buildJsonFeed(feed)),
          mediaType,
        );
      },
    );
  }
}

function send(reply: FastifyReply, text: string, mediaType: string): FastifyReply {
  return reply.type(`${mediaType}; charset=utf-8`).send(text);
}

async function readFeed(
  deps: FeedDeps,
  asked: {
    readonly form: FeedForm;
    readonly language: Language;
    readonly after: string | undefined;
  },
): Promise<Feed> {
  const { hubName, publicUrl, shown } = deps;
  const { form, language, after } = asked;
  const reader = readerIn(language);
  const hub = { hubName, publicUrl, chainId: await deps.chainId() };
  const found = await shown.lastChanged({ after: placeIn(after), limit: FEED_ENTRIES_MAX + 1 });
  const entries = found.slice(0, FEED_ENTRIES_MAX);
  const last = entries.at(-1)?.notice;
  const next =
    found.length <= FEED_ENTRIES_MAX || last === undefined
      ? undefined
      : `${last.updated_at},${last.case_no}`;
  return {
    id: buildFeedId(hub),
    title: reader.words.recalls.feedTitle(hubName),
    about: reader.words.recalls.feedAbout,
    language,
    homeUrl: `${publicUrl}/recalls`,
    feedUrl: publicUrl + feedPath(form, language, after),
    nextUrl: next === undefined ? null : publicUrl + feedPath(form, language, next),
    updatedAt: entries[0]?.notice.updated_at ?? deps.startedAt,
    entries: entries.map((one) => buildFeedEntry(one, hub, reader)),
  };
}

function placeIn(after: string | undefined) {
  const [updatedAt, caseNo] = after?.split(',') ?? [];
  return updatedAt === undefined || caseNo === undefined ? undefined : { updatedAt, caseNo };
}

/** Compares only the time when the request has no tag (RFC 9110, section 13.1.3). */
function isUnchanged({ headers }: FastifyRequest, feed: Feed): boolean {
  if (headers['if-none-match'] !== undefined) return false;
  const since = Date.parse(headers['if-modified-since'] ?? '');
  const changed = Math.floor(Date.parse(feed.updatedAt) / MS_PER_SECOND) * MS_PER_SECOND;
  return !Number.isNaN(since) && changed <= since;
}

/** A feed as JSON Feed 1.1 (jsonfeed.org/version/1.1). Pure. */
function buildJsonFeed(feed: Feed): object {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.homeUrl,
    feed_url: feed.feedUrl,
    description: feed.about,
    language: feed.language,
    ...(feed.nextUrl === null ? {} : { next_url: feed.nextUrl }),
    items: feed.entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      ...(entry.titleLanguage === undefined ? {} : { language: entry.titleLanguage }),
      content_html: entry.content.text,
      summary: entry.summary,
      ...(entry.pictureUrl === null ? {} : { image: entry.pictureUrl }),
      date_published: entry.publishedAt,
      date_modified: entry.updatedAt,
      authors: [
        {
          name: entry.brand.name,
          ...(entry.brand.website === null ? {} : { url: entry.brand.website }),
        },
      ],
      tags: [...entry.tags],
    })),
  };
}
