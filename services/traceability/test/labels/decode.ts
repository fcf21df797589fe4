// Reads symbols with a reader that has nothing to do with the library that draws them (ZXing-C++, as WebAssembly).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const require = createRequire(import.meta.url);
// Without this the library fetches its WebAssembly from another host.
prepareZXingModule({
  overrides: {
    wasmBinary: new Uint8Array(readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm')))
      .buffer,
  },
});

export interface Read {
  readonly format: string;
  readonly text: string;
  /** `GS1` of a symbol that begins with FNC1. */
  readonly contentType: string;
  /** ISO/IEC 15424: `]d2` of a GS1 DataMatrix. */
  readonly identifier: string;
}

/** All symbols of a PNG, from left to right and from top to bottom. */
export async function decode(png: Uint8Array): Promise<readonly Read[]> {
  const found = await readBarcodes(png, { textMode: 'Plain', maxNumberOfSymbols: 255 });
  return found.map(({ format, text, contentType, symbologyIdentifier }) => ({
    format,
    text,
    contentType,
    identifier: symbologyIdentifier,
  }));
}
