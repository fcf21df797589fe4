// `lothub notifications audit`: what was done and by whom, in a group or in all.
import { EXIT } from '@lothub/kit/cli/command-error';
import type { ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import type { Invocation } from '@lothub/kit/cli/define-command';
import { answer, tableText } from '@lothub/kit/cli/terminal';
import type { Output } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { withStore } from './operated-store.ts';
import type { Operated } from './operated-store.ts';
import { addPageOptions, idOf, noteNext, numberOf } from './pages.ts';
import type { PageOptions } from './pages.ts';

interface AuditOptions extends PageOptions<number> {
  readonly group?: string;
}

export function addAudit(parent: Command, { output, finish }: Invocation): void {
  addPageOptions(
    defineCommand(parent, {
      name: 'audit',
      summary: 'show what was done and by whom, the newest first',
      examples: ['lothub notifications audit --group grp_4fJk2mQ8xT1z --limit 20'],
    }).option('--group <GROUP_ID>', 'of this group alone', idOf),
    numberOf,
  ).action(async (options: AuditOptions) => {
    finish(await withStore(output, (operated) => show(output, operated, options)));
  });
}

async function show(
  output: Output,
  { store }: Operated,
  { group: groupId, limit, after }: AuditOptions,
): Promise<ExitCode> {
  const { auditPage } = await import('../audit/audit.ts');
  const { items, next } = await auditPage(store.reader, { groupId, limit, after });
  await answer(output, {
    json: { ok: true, entries: items, next },
    text: tableText(
      ['when', 'who', 'what', 'group', 'subject', 'details'],
      items.map((entry) => [
        entry.at,
        entry.actor,
        entry.action,
        entry.group_id ?? '',
        entry.subject ?? '',
        JSON.stringify(entry.details),
      ]),
    ),
  });
  noteNext(output, next);
  return EXIT.ok;
}
