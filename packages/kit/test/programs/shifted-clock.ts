// Loaded before a service (`node --import`), in its threads too: its clock runs ahead by as many
// milliseconds as a file says, or behind. The service itself has no setting for that.
import { readFileSync } from 'node:fs';
import { CLOCK_FILE_VARIABLE } from './shifted-clock-name.ts';

const file = process.env[CLOCK_FILE_VARIABLE];
if (file !== undefined) {
  const realNow = Date.now.bind(Date);
  Date.now = () => realNow() + Number(readFileSync(file, 'utf8'));
}
