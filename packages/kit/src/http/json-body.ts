// Reads a JSON body strictly: valid UTF-8, valid JSON, each member once, and no number that a double would
// round without saying so. A large body is read in slices, between which other requests are served.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JsonBodyError } from './json-body-error.ts';
import { JsonScan, type OpenContainer } from './json-scan.ts';
import { nextWorkTurn } from '../in-turns.ts';

/** Larger bodies are read in slices; this much is read in a few milliseconds, whatever it holds. */
export const READ_AT_ONCE_BYTES = 262_144;
/** Scanned and parsed in one turn of the event loop: a millisecond, at worst some more. */
const SLICE_BYTES = 65_536;

/**
 * Takes JSON bodies of an app's requests.
 * @param check what a request has to be like before its body is read; throws when it is not
 */
export function acceptJsonBodies(
  app: Pick<FastifyInstance, 'addContentTypeParser'>,
  check: (request: FastifyRequest) => void = () => undefined,
): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      check(request);
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
      if (bytes.length <= READ_AT_ONCE_BYTES) done(null, parseJsonBody(bytes));
      else readJsonBody(bytes).then((value) => done(null, value), done);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/**
 * The value of a JSON text. A number that a double would round (more than 15 significant digits, or
 * beyond its range) becomes Infinity, which no schema accepts, so that it is refused with its path.
 * @param bytes belong to the reader from then on: it overwrites such numbers in them
 * @throws JsonBodyError when the bytes are not UTF-8, the text is not JSON, has a member twice, has too
 * many of them in one object or nests too deeply
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new JsonBodyError('not_utf8');
  new JsonScan(bytes).advance(bytes.length);
  return parsed(bytes.toString('utf8'));
}

/** As `parseJsonBody`, in slices between which the event loop serves others. */
export async function readJsonBody(bytes: Buffer): Promise<unknown> {
  if (!isUtf8(bytes)) throw new JsonBodyError('not_utf8');
  const scan = new JsonScan(bytes);
  const growing: Growing[] = [];
  let whole: Growing | undefined;
  let until = SLICE_BYTES;
  for (;;) {
    const state = scan.advance(until);
    if (state === 'done') {
      return whole === undefined ? parsed(bytes.toString('utf8')) : whole.value;
    }
    try {
      if (state === 'closed') whole = closeInnermost(scan, bytes, growing);
      else takeComplete(scan, bytes, growing);
    } catch (fault) {
      // An error of the scan comes first, wherever it is in the body, as for a body that is read at once.
      await scanRest(scan);
      throw fault;
    }
    if (state === 'paused') {
      until = scan.at + SLICE_BYTES;
      await nextWorkTurn();
    }
  }
}

/** @throws JsonBodyError when the rest has what the scan refuses */
async function scanRest(scan: JsonScan): Promise<void> {
  while (scan.advance(scan.at + SLICE_BYTES) !== 'done') await nextWorkTurn();
}

/** Parses what is complete of each open container, so that a later slice has only its own to parse. */
function takeComplete(scan: JsonScan, bytes: Buffer, growing: Growing[]): void {
  const { open } = scan;
  open.forEach((container, level) => {
    const isMember = open[level - 1]?.isObject === true;
    const own = (growing[level] ??= new Growing(
      container,
      isMember ? scan.lastName(level - 1) : undefined,
    ));
    // Its last value is not complete; before it there is a comma.
    if (container.lastFrom > container.contentFrom) own.take(bytes, container.lastFrom - 1);
  });
  scan.hold();
}

/** @returns the container that is complete now */
function closeInnermost(scan: JsonScan, bytes: Buffer, growing: Growing[]): Growing {
  const complete = growing.pop();
  if (complete === undefined) throw new Error('a container closed that was not open');
  complete.take(bytes, scan.at - 1);
  growing.at(-1)?.add(complete, scan.at);
  return complete;
}

/** A list or an object whose values are parsed part by part. */
class Growing {
  readonly value: unknown[] | Record<string, unknown>;
  /** Its name as a member of the object around it. */
  readonly #name: string | undefined;
  #takenTo: number;

  constructor({ isObject, contentFrom }: OpenContainer, name: string | undefined) {
    this.value = isObject ? {} : [];
    this.#name = name;
    this.#takenTo = contentFrom;
  }

  /** Takes the values up to an offset: none, or whole ones. */
  take(bytes: Buffer, to: number): void {
    if (to <= this.#takenTo) return;
    // Behind a value that was added a comma comes first.
    const text = bytes.toString('utf8', this.#takenTo, to).replace(/^[ \t\r\n]*,/, '');
    this.#takenTo = to + 1;
    if (Array.isArray(this.value)) {
      for (const value of toList(parsed(`[${text}]`))) this.value.push(value);
    } else {
      for (const [name, value] of toEntries(parsed(`{${text}}`))) this.#set(name, value);
    }
  }

  /** Adds a value that grew by itself and ends at an offset. */
  add(grown: Growing, end: number): void {
    this.#takenTo = end;
    if (Array.isArray(this.value)) this.value.push(grown.value);
    else if (grown.#name !== undefined) this.#set(grown.#name, grown.value);
  }

  /** Not by assignment: a member may be named __proto__. */
  #set(name: string, value: unknown): void {
    const property = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(this.value, name, property);
  }
}

function toList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('a text in brackets is no list');
  return value;
}

function toEntries(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) throw new Error('a text in braces is no object');
  return Object.entries(value);
}

/** @throws JsonBodyError */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonBodyError('not_json');
  }
}
