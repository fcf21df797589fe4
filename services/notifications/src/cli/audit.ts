// `lothub notifications audit`: what was done and by whom, in a group or in all.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, tableText, type Output } from '@lothub/kit/cli/terminal';
import { InvalidArgumentError, type Command } from 'commander';
import type { AuditCursor } from '../audit/audit.ts';
import { withStore, type Operated } from './operated-store.ts';
import { addPageOptions, noteNext, parseId, type PageOptions } from '@lothub/kit/cli/pages';

interface AuditOptions extends PageOptions<AuditCursor> {
  readonly group?: string;
}

export function addAudit(parent: Command, { output, finish }: Invocation): void {
  addPageOptions(
    defineCommand(parent, {
      name: 'audit',
      summary: 'show what was done and by whom, the newest first',
      examples: ['lothub notifications audit --group grp_4fJk2mQ8xT1z --limit 20'],
    }).option('--group <GROUP_ID>', 'of this group alone', parseId),
    parseCursor,
  ).action(async (options: AuditOptions) => {
    finish(await withStore(output, (operated) => show(output, operated, options)));
  });
}

/** @throws InvalidArgumentError */
function parseCursor(text: string): AuditCursor {
  const [, inbox, people] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(text) ?? [];
  if (inbox === undefined) throw new InvalidArgumentError('Give `next` of the page before.');
  return { inbox: Number(inbox), people: people === undefined ? undefined : Number(people) };
}

async function show(
  output: Output,
  { store, people }: Operated,
  { group: groupId, limit, after }: AuditOptions,
): Promise<ExitCode> {
  const { auditOfAll, auditPage } = await import('../audit/audit.ts');
  const { items, next } =
    groupId === undefined
      ? await auditOfAll({ inbox: store.reader, people: people.store.reader }, { limit, after })
      : await auditPage(store.reader, { groupId, limit, after: after?.inbox });
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
