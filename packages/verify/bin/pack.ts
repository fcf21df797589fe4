// npm run pack:verify -- [FOLDER]: writes @lothub/verify as it is published, and verifier.html.
import { writePackage } from '../pack/write-package.ts';

const [folder = 'data/verify'] = process.argv.slice(2);
writePackage(folder);
console.log(`written to ${folder}; publish it with: npm publish ${folder}`);
