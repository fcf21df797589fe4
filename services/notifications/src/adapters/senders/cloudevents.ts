// CloudEvents 1.0 over HTTP (CloudEvents, HTTP protocol binding): structured, batched and binary mode.
import { fitted, severityOfWord } from '../fitted.ts';
import { isMembers, present, textAt, type Members } from '../members.ts';
import { POSTS_MAX, fieldProblem, shapeProblem } from '../sender.ts';
import type { Sender, SenderPost, SenderRequest } from '../sender.ts';
import { STATUSES } from '../../store/post.ts';

const STRUCTURED = 'application/cloudevents+json';
const BATCH = 'application/cloudevents-batch+json';
/** HTTP binding of CloudEvents, section 3.1.3.1: each attribute is a header of its own. */
const HEADER_PREFIX = 'ce-';
const REQUIRED = ['id', 'source', 'specversion', 'type'] as const;
const SPECVERSION = '1.0';
const LOOKED_FOR =
  'A CloudEvent was looked for: `specversion` 1.0, and `id`, `source` and `type` as texts';

export const CLOUDEVENTS: Sender = {
  adapter: 'cloudevents',
  name: 'CloudEvents',
  mediaTypes: [STRUCTURED, BATCH],
  chooseBodyForm: ({ headers, mediaType }) => {
    if (mediaType === STRUCTURED || mediaType === BATCH) return 'json';
    if (!isBinary(headers)) return undefined;
    return isJson(mediaType) ? 'json' : 'bytes';
  },
  mediaAdvice: `Send Content-Type: ${STRUCTURED} or ${BATCH}, or the attributes as headers (ce-id, ce-type, …)`,
  readPosts: (request) => {
    if (request.mediaType === STRUCTURED) return [readEvent(request.json, '')];
    if (request.mediaType === BATCH) return readBatch(request.json);
    return [readEvent(eventOfHeaders(request), undefined)];
  },
};

function readBatch(json: unknown): readonly SenderPost[] {
  const lookedFor = `A batch was looked for: a list of at most ${POSTS_MAX} events`;
  if (!Array.isArray(json)) {
    throw shapeProblem(lookedFor, fieldProblem('', 'wrong_type', { limit: 'array' }));
  }
  const events: readonly unknown[] = json;
  if (events.length > POSTS_MAX) {
    const counted = { limit: POSTS_MAX, actual: events.length };
    throw shapeProblem(lookedFor, fieldProblem('', 'too_many', counted));
  }
  return events.map((event, index) => readEvent(event, `/${index}`));
}

/** @param place JSON pointer of the event; undefined: its attributes are headers */
function readEvent(event: unknown, place: string | undefined): SenderPost {
  const buildPointer = (name: string): string =>
    place === undefined ? `header:${HEADER_PREFIX}${name}` : `${place}/${name}`;
  const wrong = REQUIRED.filter((name) => textAt(event, name) === undefined);
  if (!isMembers(event) || wrong.length > 0) {
    throw shapeProblem(
      LOOKED_FOR,
      ...wrong.map((name) => fieldProblem(buildPointer(name), 'required')),
    );
  }
  if (event['specversion'] !== SPECVERSION) {
    const limit = { limit: SPECVERSION };
    throw shapeProblem(LOOKED_FOR, fieldProblem(buildPointer('specversion'), 'not_one_of', limit));
  }
  const [id = '', source = '', type = ''] = ['id', 'source', 'type'].map((name) =>
    textAt(event, name),
  );
  return { content: buildContent(event, { source, type }), id: ['cloudevents', source, id] };
}

function buildContent(
  event: Members,
  { source, type }: { readonly source: string; readonly type: string },
) {
  const subject = textAt(event, 'subject');
  const data = readData(event);
  const own = isMembers(data) ? data : {};
  const word =
    textAt(own, 'severity') ?? textAt(event, 'severity') ?? textAt(event, 'severitytext');
  const titled = textAt(own, 'title') ?? textAt(own, 'summary') ?? textAt(own, 'message');
  const said = textAt(own, 'body') ?? textAt(own, 'description');
  return fitted({
    title: titled ?? present([type, subject]).join(': '),
    titleElse: 'An event',
    body: present([
      said ?? (titled === undefined ? shownData(data) : undefined),
      present([`${type} from ${source}`, subject, textAt(event, 'time')]).join('\n'),
    ]).join('\n\n'),
    severity: severityOfWord(word),
    links: [textAt(own, 'url'), textAt(own, 'link'), subject, source],
    dedupKey: textAt(own, 'dedup_key'),
    status: STATUSES.find((status) => status === own['status']),
  });
}

/** JSON, or text; undefined for none, and for bytes that are neither. */
function readData(event: Members): unknown {
  const encoded = textAt(event, 'data_base64');
  if (encoded === undefined) return event['data'];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const mediaType = textAt(event, 'datacontenttype');
  if (isJson(mediaType)) return parsedElseUndefined(text);
  return isText(mediaType) ? text : undefined;
}

function shownData(data: unknown): string | undefined {
  if (data === undefined || data === null) return undefined;
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2);
}

function isBinary(headers: SenderRequest['headers']): boolean {
  return headers[`${HEADER_PREFIX}specversion`] !== undefined;
}

/** HTTP binding of CloudEvents, section 3.1: attributes in headers, data as the body is. */
function eventOfHeaders({ headers, mediaType, bytes, json }: SenderRequest): Members {
  const attributes = Object.entries(headers)
    .filter(([name]) => name.startsWith(HEADER_PREFIX))
    .map(([name, value]) => [name.slice(HEADER_PREFIX.length), decoded(String(value))] as const);
  const text = isText(mediaType) ? bytes.toString('utf8') : undefined;
  const data = isJson(mediaType) ? json : text;
  return { ...Object.fromEntries(attributes), datacontenttype: mediaType, data };
}

const QUOTED = /^"(.*)"$/;

/**
 * HTTP binding of CloudEvents, section 3.1.3.2: anything but visible ASCII is percent-encoded; older senders put a
 * value in quotes.
 */
function decoded(value: string): string {
  const unquoted = QUOTED.exec(value)?.[1]?.replace(/\\(.)/g, '$1') ?? value;
  try {
    return decodeURIComponent(unquoted);
  } catch {
    return unquoted; // A percent sign that encodes nothing.
  }
}

function isJson(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^[^;]+[/+]json\b/i.test(mediaType);
}

/** XML is text, too (RFC 7303). */
function isText(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^(text\/|[^;]+[/+]xml\b)/i.test(mediaType);
}

function parsedElseUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
