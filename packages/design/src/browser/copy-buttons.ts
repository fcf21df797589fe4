// The module of pages that have nothing else to run: their buttons copy.
import { startCopying } from './copying.ts';

startCopying();
