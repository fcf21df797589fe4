// npm run bench -- proofs: what the log costs those who post, how fast it proves, how long its tree takes to
// be built, and what it takes up, on one engine.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabaseServer } from '../kit/database-server.ts';
import { Figures } from '../kit/figures.ts';
import { readEngine } from '../kit/options.ts';
import { printReport } from '../kit/report.ts';
import { flushesPerSecond, openScratch } from '../kit/scratch.ts';
import { benchPosts } from './posts.ts';
import { benchHub } from './hub.ts';

const BLOCKS = 50_000;
/** What the promises about a log of some size are about. */
const BLOCKS_LARGE = 1_000_000;
const PARTS = ['posts', 'log'] as const;

export const PROOFS_USAGE =
  '[--engine sqlite|postgres] [--large: a log of 1,000,000 blocks] [--only posts|log] ' +
  '[--cached: also behind nginx]';

export async function benchProofs(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: 'string' },
      large: { type: 'boolean', default: false },
      cached: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const engine = readEngine(values.engine);
  const parts = PARTS.filter((part) => values.only === undefined || values.only === part);
  if (parts.length === 0) throw new Error(`--only takes ${PARTS.join(' or ')}`);
  await using scratch = await openScratch();
  await using server = engine === 'postgres' ? await startDatabaseServer(scratch.dir) : undefined;
  const figures = new Figures(values.large ? 'full' : 'small');
  const flushes = flushesPerSecond(scratch.dir);
  figures.add({ name: 'disk flushes', value: flushes, unit: '/s' });
  const posts = parts.includes('posts')
    ? await benchPosts({ dir: join(scratch.dir, 'posts'), server })
    : [];
  if (parts.includes('log')) {
    const blocks = values.large ? BLOCKS_LARGE : BLOCKS;
    const dir = join(scratch.dir, 'log');
    await benchHub({ dir, server, blocks, isCached: values.cached, figures });
  }
  const suffix = [...(engine === 'postgres' ? [engine] : []), ...(values.large ? ['large'] : [])];
  printReport(['proofs', ...suffix].join('-'), [...posts, ...figures.list]);
}
