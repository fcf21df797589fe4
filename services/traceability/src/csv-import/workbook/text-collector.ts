// Collects the text of a cell from its runs, which have different styles, without its
// pronunciation.
import { ROW_CHARACTERS_MAX } from '../row-splitter.ts';

/** A character that XML cannot hold, or one that only looks like this (ECMA-376 part 1, 22.9.2.19). */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

export class TextCollector {
  #text = '';
  #isText = false;
  #isPronunciation = false;

  begin(): void {
    this.#text = '';
  }

  open(name: string): void {
    if (name === 't') this.#isText = true;
    if (name === 'rPh') this.#isPronunciation = true;
  }

  /** Collects a text, up to the length that makes a row too long. */
  add(piece: string): void {
    if (!this.#isText || this.#isPronunciation || this.#text.length > ROW_CHARACTERS_MAX) return;
    this.#text += piece;
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    if (name === 'rPh') this.#isPronunciation = false;
  }

  end(): string {
    return unescaped(this.#text);
  }
}

export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(ESCAPED, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
