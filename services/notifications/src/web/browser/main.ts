// What every page begins with; each part looks for what it needs and leaves other pages alone.
import { startCopying } from '@lothub/design/browser/copying';
import { startActions } from './actions.ts';
import { startDevice } from './app/device.ts';
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
startDevice();
