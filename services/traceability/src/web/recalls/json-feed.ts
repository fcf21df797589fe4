// A feed as JSON Feed 1.1 (jsonfeed.org/version/1.1). Pure.
import type { Feed } from './feed.ts';

export function jsonFeedOf(feed: Feed): object {
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
