/** `refused`: the receiver does not want this, and most likely never will. `failed`: it may be better later. */
export type Delivered = { is: 'taken' } | { is: 'refused' | 'failed'; reason: string };

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  patienceMs?: number;
}

const PATIENCE_MS = 10_000;

/** Sends one piece of news. The status is the whole answer: its body is never read, and no redirect is followed. */
export async function deliver({ url, headers, body, signal, patienceMs = PATIENCE_MS }: Post): Promise<Delivered> {
  const late = AbortSignal.timeout(patienceMs);
  try {
    const init = {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    } as const;
    const response = await fetch(url, init);
    // Not awaited: a receiver that goes on sending would hold it.
    void response.body?.cancel().catch(() => {});
    return verdictOf(response.status);
  } catch (error) {
    return { is: 'failed', reason: late.aborted ? `no answer within ${patienceMs / 1000} s` : faultOf(error) };
  }
}

const COMES_LATER = [408, 429];

export function verdictOf(status: number): Delivered {
  if (status >= 200 && status < 300) return { is: 'taken' };
  const isRefused = status >= 300 && status < 500 && !COMES_LATER.includes(status);
  return { is: isRefused ? 'refused' : 'failed', reason: `HTTP ${status}` };
}

/** The code alone: messages may have the address, which is a secret. */
function faultOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const known = cause?.code ?? code;
  return typeof known === 'string' ? known : 'the connection failed';
}
