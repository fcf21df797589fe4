// Mutants of what consumers are told: how it is sealed, compared and served.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const BRAND_MUTANTS = [
  {
    name: 'the bytes of a picture are not hashed',
    file: 'services/traceability/src/ledger/verify/pictures.ts',
    find: 'sha256Bytes(bytes).toHex() !== sha256',
    replacement: "sha256 === ''",
    engine: 'both',
    subject: 'told-tampering',
  },
  {
    name: 'a picture that no product has is no finding',
    file: 'services/traceability/src/ledger/verify/pictures.ts',
    find: 'if (height === null) {',
    replacement: 'if (height === -1) {',
    engine: 'both',
    subject: 'told-tampering',
  },
  {
    name: 'a row of a block that a later one has replaced may come back',
    file: 'services/traceability/src/ledger/verify/decided/brands.ts',
    find: 'const block = replaced.has(height) ? undefined : blocks.get(height);',
    replacement:
      'const block = replaced.has(height) && !stored.has(height) ? undefined : blocks.get(height);',
    engine: 'both',
    subject: 'told-tampering',
  },
  {
    name: 'a picture is deleted while another product has it',
    file: 'services/traceability/src/brand/products.ts',
    find: 'where sha256 = ${picture} and not exists (select 1 from products where picture = ${picture})',
    replacement: 'where sha256 = ${picture}',
    engine: 'both',
    subject: 'told',
  },
  {
    name: 'a change that changes nothing is sealed',
    file: 'services/traceability/src/brand/products.ts',
    find: 'if (changed.length === 0) return undefined;',
    replacement: 'if (changed.length < 0) return undefined;',
    engine: 'both',
    subject: 'told',
  },
  {
    name: 'bytes behind a picture are passed over',
    file: 'services/traceability/src/brand/picture/png.ts',
    find: 'if (at !== bytes.length) throw new PictureFault(TRAILING);',
    replacement: '',
    engine: 'sqlite',
    subject: 'pictures',
  },
];
