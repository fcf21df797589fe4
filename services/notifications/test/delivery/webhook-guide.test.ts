// The programs of the guide that check signatures, run against what is really sent.
import { testWebhookGuide } from '@lothub/delivery/test/webhook-guide';

testWebhookGuide({
  document: 'docs/notifications/guide.md',
  body: '{"type":"notification.created","data":{"severity":"critical","title":"Ofen ☃"}}',
  printed: 'critical Ofen ☃',
});
