// Shows times of the explorer in the named time zone of the reader; without this module they are in
// UTC.
import { getFormats, isLanguage } from '@lothub/languages';

const { lang } = document.documentElement;
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

if (isLanguage(lang)) {
  const formats = getFormats(lang);
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    time.title = time.textContent;
    time.textContent = formats.instant(time.dateTime, timeZone);
  }
}
