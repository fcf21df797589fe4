// `lothub notifications groups`: which groups there are.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, tableText, type Output } from '@lothub/kit/cli/terminal';
import { instantText } from '@lothub/kit/clock';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { Command } from 'commander';
import { withStore, type Operated } from './operated-store.ts';
import { addPageOptions, noteNext, parseId, type PageOptions } from '@lothub/kit/cli/pages';

export function addGroups(parent: Command, { output, finish }: Invocation): void {
  const groups = parent.command('groups').description('list groups');

  addPageOptions(
    defineCommand(groups, {
      name: 'list',
      summary: 'list all groups, with how much is in them',
      examples: ['lothub notifications groups list'],
    }),
    parseId,
  ).action(async (page: PageOptions<string>) => {
    finish(await withStore(output, (operated) => list(output, operated, page)));
  });
}

async function list(
  output: Output,
  { store }: Operated,
  { limit, after }: PageOptions<string>,
): Promise<ExitCode> {
  const { allGroups } = await import('../groups/group-queries.ts');
  const found = await allGroups(store.reader, { after, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  const next = last?.id ?? null;
  const groups = rows.map((row) => ({
    id: row.id,
    name: row.name,
    paused: row.paused === 1,
    members: row.members,
    notifications: row.headSeq - row.prunedSeq,
    head_seq: row.headSeq,
    created_at: instantText(row.createdAt),
  }));
  await answer(output, {
    json: { ok: true, groups, next },
    text: tableText(
      ['group id', 'name', 'state', 'members', 'notifications', 'created'],
      groups.map((group) => [
        group.id,
        group.name,
        group.paused ? 'paused' : 'active',
        String(group.members),
        String(group.notifications),
        group.created_at,
      ]),
    ),
  });
  noteNext(output, next);
  return EXIT.ok;
}
