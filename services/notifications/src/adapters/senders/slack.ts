// What is made for Slack's incoming webhooks: a text, blocks or attachments (Slack, incoming webhooks; block
// kit; legacy attachments). Its mark-up becomes plain text, and its first link the link.
import { fitted } from '../fitted.ts';
import { isMembers, listAt, present, textAt, type Members } from '../members.ts';
import { fieldProblem, isJsonAlone, shapeProblem, type Sender } from '../sender.ts';
import type { Severity } from '../../store/post.ts';

/** Blocks and their elements are inside of each other so deep at most. */
const NESTING_MAX = 8;

const FORM = 'application/x-www-form-urlencoded';

export const SLACK: Sender = {
  adapter: 'slack',
  name: 'Slack',
  mediaTypes: ['application/json', FORM],
  chooseBodyForm: (request) => (request.mediaType === FORM ? 'form' : isJsonAlone(request)),
  mediaAdvice: 'Send Content-Type: application/json, or a form with the JSON as `payload`',
  readPosts: ({ json }) => {
    const attachments = listAt(json, 'attachments');
    const texts = present([
      textAt(json, 'text'),
      shownBlocks(listAt(json, 'blocks')),
      ...attachments.map(shownAttachment),
    ]).filter((text) => text.trim() !== '');
    if (texts.length === 0) {
      throw shapeProblem(
        'A message for Slack was looked for: an object with `text`, `blocks` or `attachments`',
        fieldProblem('/text', 'required'),
      );
    }
    const raw = texts.join('\n');
    const content = fitted({
      title: toPlain(raw),
      titleElse: 'A message',
      severity: readSeverity(attachments),
      links: [
        ...attachments.flatMap((one) => [textAt(one, 'title_link'), textAt(one, 'from_url')]),
        ...linksIn(raw),
      ],
    });
    return [{ content, id: undefined }];
  },
  answerText: 'ok',
};

/** The names that Slack has for colours; any other colour says nothing. */
function readSeverity(attachments: readonly unknown[]): Severity {
  const colors = attachments.map((one) => textAt(one, 'color'));
  if (colors.includes('danger')) return 'critical';
  return colors.includes('warning') ? 'warning' : 'info';
}

function shownAttachment(attachment: unknown): string {
  const fields = listAt(attachment, 'fields').map((field) =>
    present([textAt(field, 'title'), textAt(field, 'value')]).join(': '),
  );
  const shown = present([
    textAt(attachment, 'pretext'),
    textAt(attachment, 'author_name'),
    textAt(attachment, 'title'),
    textAt(attachment, 'text'),
    ...fields,
    shownBlocks(listAt(attachment, 'blocks')),
    textAt(attachment, 'footer'),
  ]).join('\n');
  return shown === '' ? (textAt(attachment, 'fallback') ?? '') : shown;
}

function shownBlocks(blocks: readonly unknown[]): string {
  return present(blocks.map((block) => shownIn(block, NESTING_MAX))).join('\n');
}

/** The text between the parts of a line; the parts of all other blocks are lines of their own. */
const BETWEEN_PARTS: ReadonlyMap<string, string> = new Map([
  ['rich_text_section', ''],
  ['context', ' '],
]);
/** To be clicked in Slack alone. */
const CONTROLS = new Set(['actions', 'input', 'button']);

function shownIn(node: unknown, depth: number): string {
  if (!isMembers(node) || depth === 0) return '';
  const type = textAt(node, 'type') ?? '';
  if (CONTROLS.has(type)) return '';
  if (type === 'link') return formatLink(textAt(node, 'url') ?? '', textAt(node, 'text'));
  if (type === 'image') return textAt(node, 'alt_text') ?? '';
  if (type === 'table') return shownTable(node, depth);
  const short = shownShort(type, node);
  if (short !== undefined) return short;
  const text = textAt(node, 'text') ?? shownIn(node['text'], depth - 1);
  const parts = [...listAt(node, 'fields'), ...listAt(node, 'elements')].map((part) =>
    shownIn(part, depth - 1),
  );
  const shown = parts.filter((part) => part !== '');
  return [text, shown.join(BETWEEN_PARTS.get(type) ?? '\n')]
    .filter((part) => part !== '')
    .join('\n');
}

/** Elements of rich text that say what they stand for in a member of their own. */
function shownShort(type: string, node: Members): string | undefined {
  switch (type) {
    case 'emoji':
      return `:${textAt(node, 'name') ?? ''}:`;
    case 'user':
      return `@${textAt(node, 'user_id') ?? ''}`;
    case 'usergroup':
      return `@${textAt(node, 'usergroup_id') ?? ''}`;
    case 'broadcast':
      return `@${textAt(node, 'range') ?? ''}`;
    case 'channel':
      return `#${textAt(node, 'channel_id') ?? ''}`;
    case 'date':
      return textAt(node, 'fallback') ?? '';
    default:
      return undefined;
  }
}

function shownTable(node: Members, depth: number): string {
  const rows = listAt(node, 'rows').map((row) =>
    listAt({ row }, 'row').map((cell) => shownIn(cell, depth - 1)),
  );
  return rows.map((cells) => cells.join(' | ')).join('\n');
}

/** `<https://…|text>`, as Slack writes links. */
function formatLink(url: string, text: string | undefined): string {
  return text === undefined || text === url ? `<${url}>` : `<${url}|${text}>`;
}

const MARKED = /<([^<>|]+)(?:\|([^<>]*))?>/g;

function toPlain(text: string): string {
  return text
    .replace(MARKED, (_whole, target: string, label: string | undefined) =>
      shownMark(target, label),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function shownMark(target: string, label = ''): string {
  switch (target[0]) {
    case '!':
      return label === '' ? `@${target.slice(1)}` : label;
    case '@':
    case '#':
      return label === '' ? target : `${target.slice(0, 1)}${label}`;
    default:
      return label === '' || label === target ? target : `${label} (${target})`;
  }
}

function linksIn(text: string): readonly string[] {
  return [...text.matchAll(MARKED)].map(([, target = '']) => target.replaceAll('&amp;', '&'));
}
