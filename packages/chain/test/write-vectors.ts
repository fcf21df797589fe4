/**
 * Writes the folder vectors/ anew; run it after a change to what the vectors are made from.
 *
 * A vector that changes means that the frozen format changed, so its difference belongs in review.
 */
import { writeFileSync } from 'node:fs';

import { makeVectorFiles } from './vectors/vector-files.ts';

const FOLDER = new URL('../../../vectors/', import.meta.url);

for (const { name, text } of makeVectorFiles()) writeFileSync(new URL(name, FOLDER), text);
