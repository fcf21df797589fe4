// What is given to a sender so that it posts: ready to be pasted, with the token in it. Nothing in it has to be
// escaped: tokens are letters and digits behind `na_`.
import { API_PREFIX } from '../http.ts';
import type { Adapter } from '../keys/key-prefix.ts';
import { POSTS_MAX } from './sender.ts';

export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** @param publicUrl as programs reach the service */
export function writeConfiguration(
  adapter: Adapter,
  { id, token }: IssuedToken,
  publicUrl: string,
): string {
  const url = `${publicUrl}${API_PREFIX}/ingest/${adapter}`;
  switch (adapter) {
    case 'alertmanager':
      return [
        'receivers:',
        '  - name: lothub',
        '    webhook_configs:',
        `      - url: ${url}`,
        `        max_alerts: ${POSTS_MAX}`,
        '        http_config:',
        '          authorization:',
        `            credentials: ${token}`,
      ].join('\n');
    case 'grafana':
      return [
        'Integration: Webhook',
        `URL: ${url}`,
        'HTTP Method: POST',
        'Authorization Header - Scheme: Bearer',
        `Authorization Header - Credentials: ${token}`,
        `Max Alerts: ${POSTS_MAX}`,
      ].join('\n');
    case 'github':
      return [
        `Payload URL: ${url}/${id}`,
        'Content type: application/json',
        `Secret: ${token}`,
      ].join('\n');
    case 'cloudevents':
      return [
        `curl -X POST '${url}' \\`,
        `  -H 'Authorization: Bearer ${token}' \\`,
        "  -H 'Content-Type: application/cloudevents+json' \\",
        `  -d '{"specversion": "1.0", "id": "1", "source": "/test", "type": "test", "data": {"title": "It works"}}'`,
      ].join('\n');
    case 'slack':
      return `${url}/${token}`;
  }
}
