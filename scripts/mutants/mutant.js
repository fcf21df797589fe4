// What a mutant is, which runs it asks for, and how it is planted into the text of its file.

/** @typedef {import('../test-files.js').Engine} Engine */

/**
 * One small defect, and who must notice it.
 *
 * @typedef {object} Mutant
 * @property {string} name a sentence of fact: what is wrong once it is planted
 * @property {string} file path from the root
 * @property {string} find text that the file has exactly once
 * @property {string} replacement the text that replaces it
 * @property {Engine | 'both'} engine a rule that reads no database is tried beside SQLite
 * @property {string} subject a key of SUBJECTS in subjects.js
 * @property {string} [failsWith] part of the message of an error that counts as noticing, besides a
 *   failed assertion, which always counts
 */

/**
 * @param {Mutant} mutant
 * @param {Engine | undefined} only leaves the other one out
 * @returns {readonly Engine[]}
 */
export function listEngines({ engine }, only) {
  const engines = engine === 'both' ? ['sqlite', 'postgres'] : [engine];
  return engines.filter((one) => only === undefined || one === only);
}

/** How often a text has a part; overlapping ones count once. */
function countParts(text, part) {
  return text.split(part).length - 1;
}

/**
 * Why a mutant does not apply to the text of its file any more; undefined when it does.
 *
 * @param {Mutant} mutant
 * @param {string | undefined} text undefined when there is no such file
 * @returns {string | undefined} a sentence
 */
export function findStaleness({ name, file, find, replacement }, text) {
  const what = `"${name}" (${file})`;
  if (text === undefined) return `${what}: there is no such file.`;
  const count = countParts(text, find);
  if (count !== 1) return `${what}: its text is there ${count} times, not once: ${find}`;
  return find === replacement ? `${what}: it changes nothing.` : undefined;
}

/** The text of a file with a mutant in it, which applies. */
export function planted({ find, replacement }, text) {
  return text.split(find).join(replacement);
}
