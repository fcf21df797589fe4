// What every page begins with; each part looks for what it needs and leaves other pages alone.
import { startActions } from './actions.ts';
import { startCopying } from './copying.ts';
import { startKeyboard } from './keyboard.ts';
import { startList } from './list.ts';
import { startLive } from './live.ts';
import { keepTimes } from './times.ts';

keepTimes();
startCopying();
startActions();
startKeyboard();
startList();
startLive();
