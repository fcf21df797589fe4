// Lists the pages for search engines (sitemaps.org): those that stay, and one of each recall that
// is listed. It is one file if all fit into it, else an index of files, each of a range of recalls.
import { escapeHtml } from '@lothub/kit/html';
import type { ShownCaseNumber } from '../../lots/notices/shown-numbers.ts';

/**
 * Ids of recalls in one file. The protocol allows 50,000 addresses; with fewer one answer stays below two
 * megabytes.
 */
export const CASES_PER_FILE = 10_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Pages that every hub has. */
const FIXED = ['/', '/recalls', '/explorer', '/api-docs'];

export function countSitemapFiles(newestCaseId: number): number {
  return Math.max(1, Math.ceil(newestCaseId / CASES_PER_FILE));
}

/** @param file from 0, the oldest */
export function toCaseRange(file: number): { readonly above: number; readonly upTo: number } {
  return { above: file * CASES_PER_FILE, upTo: (file + 1) * CASES_PER_FILE };
}

export function sitemapIndex(publicUrl: string, files: number): string {
  const addresses = Array.from({ length: files }, (_, file) => `${publicUrl}${filePath(file)}`);
  const entries = addresses.map(
    (address) => `<sitemap><loc>${escapeHtml(address)}</loc></sitemap>`,
  );
  return `${HEAD}<sitemapindex xmlns="${SPACE}">\n${entries.join('\n')}\n</sitemapindex>\n`;
}

export function sitemapFile(
  publicUrl: string,
  { file, cases }: { readonly file: number; readonly cases: readonly ShownCaseNumber[] },
): string {
  const pages = file === 0 ? FIXED.map((path) => renderEntry(publicUrl + path)) : [];
  const recalls = cases.map(({ caseNo, updatedAt }) =>
    renderEntry(`${publicUrl}/recalls/${encodeURIComponent(caseNo)}`, updatedAt),
  );
  return `${HEAD}<urlset xmlns="${SPACE}">\n${[...pages, ...recalls].join('\n')}\n</urlset>\n`;
}

export function filePath(file: number): string {
  return `/sitemap/${file}.xml`;
}

function renderEntry(address: string, changedAt?: string): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${escapeHtml(changedAt)}</lastmod>`;
  return `<url><loc>${escapeHtml(address)}</loc>${changed}</url>`;
}
