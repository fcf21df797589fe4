// What the arguments of `npm test` ask for.

export const HELP = `npm test                        types and the tests, on SQLite and on PostgreSQL
npm test -- recall              the tests of a subject: files in a folder of that name, and files
                                whose name begins with it, such as recall-cases.test.ts
npm test -- FILE…               the tests in these files ('tidy/**/*.test.ts' works too)
npm test -- --test-name-pattern=TEXT
                                only the tests whose name matches; other options of Node go on to
                                it in the same way. Words and files may be beside it.
npm test -- --times=FILE        writes what each file and check took, as JSON, besides
npm test -- --long recall       with as many rounds as test:long plays, and *.long.test.ts
npm run test:long               what npm test leaves out: lint, format, long rounds, *.long.test.ts, and
                                PostgreSQL where npm test runs on SQLite alone
npm run test:watch              what concerns the files that change, again at each change

Words, files and test:watch run on SQLite. LOTHUB_TEST_ENGINE=postgres runs them on PostgreSQL:

LOTHUB_TEST_ENGINE=postgres npm test -- recall
`;

/**
 * @typedef {object} Wanted
 * @property {'help' | 'all' | 'long' | 'some' | 'watch'} kind `all` and `long` are whole runs
 * @property {readonly string[]} paths files, and patterns of files
 * @property {readonly string[]} words subjects
 * @property {readonly string[]} nodeOptions
 * @property {boolean} isLong
 * @property {string | undefined} timesFile where what each task took is written
 */

/**
 * @param {readonly string[]} args
 * @returns {Wanted}
 */
export function parseArguments(args) {
  const options = args.filter((argument) => argument.startsWith('-'));
  const rest = args.filter((argument) => !argument.startsWith('-'));
  const isLong = options.includes('--long');
  const timesFile = options.find((option) => option.startsWith(TIMES))?.slice(TIMES.length);
  const nodeOptions = options.filter(
    (option) => !OWN_OPTIONS.has(option) && !option.startsWith(TIMES),
  );
  const [paths, words] = [rest.filter(isPath), rest.filter((argument) => !isPath(argument))];
  const wanted = { paths, words, nodeOptions, isLong, timesFile };
  if (options.includes('--help') || options.includes('-h')) return { ...wanted, kind: 'help' };
  if (options.includes('--watch')) return { ...wanted, kind: 'watch' };
  if (rest.length > 0 || nodeOptions.length > 0) return { ...wanted, kind: 'some' };
  return { ...wanted, kind: isLong ? 'long' : 'all' };
}

const TIMES = '--times=';
const OWN_OPTIONS = new Set(['--help', '-h', '--long', '--watch']);

/** A path has a folder or an ending; a word has neither. */
function isPath(argument) {
  return /[/\\.*]/.test(argument);
}
