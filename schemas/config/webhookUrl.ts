/** A user and a password would be in the clear where addresses are shown, and Node refuses them. */
export function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The part of the address that anybody may see. */
export function webhookHost(url: string): string {
  return new URL(url).hostname;
}

/** Shorter words would be masked wherever they stand. */
const LEAST_LENGTH = 16;

/** What must not be shown: the secret, the address, and its path, by which receivers know who may post. */
export function webhookSecrets({ url, secret }: { url?: string | undefined; secret?: string | undefined }): string[] {
  const { pathname, search } = url === undefined ? { pathname: '', search: '' } : new URL(url);
  return [url, `${pathname}${search}`, secret].filter(
    (each) => each !== undefined && each.length >= LEAST_LENGTH,
  ) as string[];
}
