import { z } from 'zod';
import { NewsKind } from '../enums.ts';
import { setting } from './setting.ts';
import { isWebhookUrl } from './webhookUrl.ts';

/** Where news goes as JSON. The address often is a secret itself. */
export const WEBHOOK = z.strictObject({
  url: setting(z.string().max(2000).refine(isWebhookUrl).optional(), {
    allowed: 'a URL that begins with http:// or https://, without a user and a password',
    purpose:
      'An address that gets a POST with JSON for each piece of news; nothing is sent without it, and devflow shows only its host ([usage.md](usage.md#webhooks)).',
    variable: 'NOTIFY_WEBHOOK_URL',
  }),
  secret: setting(z.string().min(16).max(1000).optional(), {
    allowed: 'a string of at least 16 characters',
    purpose: 'With it devflow signs each request, so that the receiver can check who sent it.',
    variable: 'NOTIFY_WEBHOOK_SECRET',
  }),
  kinds: setting(z.array(NewsKind), {
    allowed: `a list of ${NewsKind.options.join(', ')}`,
    purpose: 'The kinds of news that are sent.',
    byDefault: [...NewsKind.options],
  }),
});
