// The programs of the page about webhooks that check signatures, run against what is really sent.
import { testWebhookGuide } from '@lothub/delivery/test/webhook-guide';

testWebhookGuide({
  document: 'docs/webhooks.md',
  body: '{"type":"lot.held","data":{"lots":["BROT-☃"]}}',
  printed: 'stop BROT-☃',
});
