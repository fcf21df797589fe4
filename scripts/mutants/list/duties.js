// Mutants of what owners take away and send on: redaction, deleted groups, escalation, formats of webhooks.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const DUTY_MUTANTS = [
  {
    name: 'a redacted notification is still sent to webhooks',
    file: 'services/notifications/src/duties/redact-queries.ts',
    find: 'const DELIVERIES = [sql`deliveries`, ',
    replacement: 'const DELIVERIES = [',
    engine: 'both',
    subject: 'redaction',
  },
  {
    name: 'a reader that is behind hears the texts of a redacted notification',
    file: 'services/notifications/src/stream/hub.ts',
    find: "if (signal.kind === 'redacted') this.#recent.redact({ ...signal, ...signal.detail });",
    replacement: '',
    engine: 'sqlite',
    subject: 'redaction',
  },
  {
    name: 'the hash of a redacted content answers a repeated request',
    file: 'services/notifications/src/store/plan-posts.ts',
    find: 'if (known.contentHash === REDACTED_HASH) {',
    replacement: "if (known.contentHash === '') {",
    engine: 'both',
    subject: 'redaction',
  },
  {
    name: 'what was redacted stays in the pages of the file',
    file: 'services/notifications/src/store/sqlite/erased-bytes.ts',
    find: 'if (!connection.emptyLog()) return false;',
    replacement: '',
    engine: 'sqlite',
    subject: 'redaction',
  },
  {
    name: 'an acknowledgement at the last moment does not stop an escalation',
    file: 'services/notifications/src/escalation/due-queries.ts',
    find: `      and not exists (
        select 1
        from acknowledgements a
        where a.group_id = \${groupId}
          and a.seq = \${seq}
      )
`,
    replacement: '',
    engine: 'both',
    subject: 'escalation',
  },
  {
    name: 'what was resolved is escalated',
    file: 'services/notifications/src/escalation/escalate.ts',
    find: 'item.resolvedSeq === null && ',
    replacement: '',
    engine: 'both',
    subject: 'escalation',
  },
  {
    name: 'two processes escalate one notification',
    file: 'services/notifications/src/escalation/due-queries.ts',
    find: `      and e.checked_seq = \${checkedSeq}
      and e.set_at`,
    replacement: '      and e.set_at',
    engine: 'both',
    subject: 'escalation',
    failsWith: 'escalated',
  },
  {
    name: 'an escalation goes to somebody who left the group',
    file: 'services/notifications/src/groups/member-queries.ts',
    find: `      delete from escalation_people
      where group_id = \${groupId}
        and account_id = \${accountId}`,
    replacement: `      delete from escalation_people
      where group_id = \${groupId}
        and account_id = ''`,
    engine: 'both',
    subject: 'escalation-rules',
  },
  {
    name: 'a rule of escalation leads back to its group',
    file: 'services/notifications/src/escalation/rule-queries.ts',
    find: 'and ${stepsThrough(link)} <= ${STEPS_MAX}`',
    replacement: 'and ${STEPS_MAX} <= ${STEPS_MAX}`',
    engine: 'both',
    subject: 'escalation-rules',
  },
  {
    name: 'a group is deleted without an export of what came last',
    file: 'services/notifications/src/duties/delete-group.ts',
    find: 'if (isExportWanted && group.exportedSeq < group.headSeq) throw notExported();',
    replacement: '',
    engine: 'both',
    subject: 'group-deletion',
    failsWith: 'attempts came too late',
  },
  {
    name: 'keys of a deleted group still post',
    file: 'services/notifications/src/duties/group-queries.ts',
    find: 'set revoked_at = ${at}, signing_secret = null',
    replacement: 'set signing_secret = null',
    engine: 'both',
    subject: 'group-deletion',
  },
  {
    name: 'Slack reads the text of a notification as markup',
    file: 'services/notifications/src/delivery/formats/slack.ts',
    find: ".replaceAll('<', '&lt;')",
    replacement: '',
    engine: 'sqlite',
    subject: 'webhook-formats',
  },
  {
    name: 'the test of a webhook shows the whole answer',
    file: 'services/notifications/src/delivery/webhooks/test.ts',
    find: '.slice(0, SHOWN_CHARACTERS)',
    replacement: '',
    engine: 'both',
    subject: 'webhook-formats',
  },
];
