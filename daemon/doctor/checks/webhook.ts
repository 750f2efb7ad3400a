import { isIP } from 'node:net';
import { webhookHost } from '../../../schemas/config/webhookUrl.ts';
import { type Check, pass, unchecked, warn } from '../probe/check.ts';

/** It sends nothing: `devflow status` says what the daemon could not send. */
export const webhook: Check = {
  name: 'webhook',
  run({ config }) {
    if (!config) return unchecked();
    const { url, secret, kinds } = config.notify.webhook;
    if (url === undefined) return pass('not set: no news leaves this machine');
    const host = webhookHost(url);
    const detail = `${host} gets news of ${kinds.join(', ')}, ${secret === undefined ? 'not signed' : 'signed'}`;
    if (url.startsWith('https:') || isLoopback(host)) return pass(detail);
    return warn(`${detail}, and not encrypted`, 'Set notify.webhook.url to an address that begins with https://.');
  },
};

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return host === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}
