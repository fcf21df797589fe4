// The rules a person would otherwise have to remember in review. TypeScript is linted with types,
// because the mistakes that matter here (a promise nobody awaits, a union member nobody handles)
// cannot be seen without them. Layout is prettier's business.

import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** node:test keeps track of the promises that these return; awaiting them at the top adds nothing. */
const TRACKED_BY_TEST_RUNNER = ['test', 'it', 'describe', 'suite'].map((name) => ({
  from: 'package',
  package: 'node:test',
  name,
}));

/** What a plain JavaScript module of ours may use without importing it. */
const NODE_GLOBALS = Object.fromEntries(
  [
    ...['AbortController', 'clearInterval', 'clearTimeout', 'console', 'fetch', 'performance'],
    ...['process', 'setImmediate', 'setInterval', 'setTimeout', 'URL'],
  ].map((name) => [name, 'readonly']),
);

const TEST_FILES = ['**/*.test.ts', '**/test/**/*.ts', 'tidy/**/*.ts'];

const SLOW_TO_LOAD = {
  name: 'typebox',
  allowTypeImports: true,
  message:
    'Its builders take a tenth of a start to load: import Type from @lothub/kit/json-schema.',
};

/** Names starting with an underscore say "required by the signature, not used". */
const UNUSED = { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' };

export default defineConfig(
  { ignores: ['**/node_modules/', 'data/', 'bench/results/', 'vectors/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: TRACKED_BY_TEST_RUNNER },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-restricted-imports': ['error', { paths: [SLOW_TO_LOAD] }],
      '@typescript-eslint/no-unused-vars': ['error', UNUSED],
      // A function that fulfils an asynchronous interface may have nothing to await.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: TEST_FILES,
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // String() of a part of an answer: if it is no text after all, the assertion on it fails.
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
  {
    // Compares our builders of schemas with those of typebox.
    files: ['packages/kit/src/json-schema.test.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' },
  },
  {
    files: ['**/*.js'],
    languageOptions: { globals: NODE_GLOBALS },
    rules: {
      eqeqeq: 'error',
      'no-const-assign': 'error',
      'no-dupe-keys': 'error',
      'no-empty': 'error',
      'no-fallthrough': 'error',
      'no-undef': 'error',
      'no-unreachable': 'error',
      'no-unused-vars': ['error', UNUSED],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
);
