import { createHmac } from 'node:crypto';

/** The headers by which a receiver knows the news, its age, and with a secret that devflow sent it. */
export function headersOf(news: { id: string; body: string }, at: Date, secret: string | undefined) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-devflow-id': news.id,
    'x-devflow-timestamp': timestamp,
  };
  if (secret !== undefined) headers['x-devflow-signature'] = signature(secret, timestamp, news.body);
  return headers;
}

/** With the time in it, an old request cannot be sent again later. */
export function signature(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
