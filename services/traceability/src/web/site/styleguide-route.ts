// /styleguide, where people work on the pages (NODE_ENV=development): each part of them in its states.
import { styleguide } from '@lothub/design/styleguide';
import type { App } from '../../http.ts';
import type { HubFrame } from '../error-page.ts';
import { sendPage } from '../layout.ts';
import { prepareReader } from '../words/reader.ts';

export function styleguideRoute(app: App, frame: HubFrame): void {
  app.get('/styleguide', { schema: { hide: true } }, (request, reply) => {
    const page = { title: 'Style guide', body: styleguide(), writtenIn: 'en' };
    return sendPage(reply, page, { ...frame, reader: prepareReader(request, reply) });
  });
}
