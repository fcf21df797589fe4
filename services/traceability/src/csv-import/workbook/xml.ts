// Reads a part of a workbook as a stream of tags and texts. It refuses a document type, so there
// are no own entities; and it limits texts and tags, because the parser stores those that have not
// ended.
import { SaxesParser } from 'saxes';
import { noWorkbook } from './refusal.ts';

/** Characters between two tags; a cell has at most 32,767, and escapes make six of one. */
const TEXT_CHARACTERS_MAX = 1_048_576;

export interface XmlReader {
  /** Names are without their prefix. */
  readonly open: (name: string, attributes: Attributes) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
}

/** By names without their prefix. */
export type Attributes = Readonly<Partial<Record<string, string>>>;

/** @throws UnreadableFile when it is no XML */
export async function readXml(part: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser({ xmlns: false });
  let decoder: TextDecoder | undefined;
  let sinceTag = 0;
  let failure: unknown;
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('doctype', () => {
    failure ??= new Error('a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    reader.open(localName(name), withLocalNames(attributes));
  });
  parser.on('text', reader.text);
  parser.on('cdata', reader.text);
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    reader.close(localName(name));
  });
  const write = (text: string): void => {
    sinceTag += text.length;
    parser.write(text);
    if (failure !== undefined || sinceTag > TEXT_CHARACTERS_MAX) throw notXml();
  };
  for await (const chunk of part) {
    decoder ??= new TextDecoder(detectEncoding(chunk), { fatal: true });
    write(decoded(decoder, chunk));
  }
  if (decoder === undefined) throw notXml();
  write(decoded(decoder, undefined));
  parser.close();
  if (failure !== undefined) throw notXml();
}

function detectEncoding(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function decoded(decoder: TextDecoder, chunk: Buffer | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    // Bytes that are no text of the encoding.
    throw notXml();
  }
}

function notXml(): Error {
  return noWorkbook('The workbook is broken: a part of it is no XML');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function withLocalNames(attributes: Readonly<Record<string, string>>): Attributes {
  const local: Partial<Record<string, string>> = Object.create(null) as object;
  for (const name in attributes) local[localName(name)] = attributes[name];
  return local;
}
