import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { readableView } from '../print/run/transcriptView.ts';
import { type Answer, tailAnswer } from './texts.ts';

/** The lines as a person would have seen them. Secrets are masked in what the daemon keeps. */
export async function transcriptAnswer(result: unknown): Promise<Answer> {
  const { chunks } = result as RpcResult<'session.transcript'>;
  const parts: string[] = [];
  const out = (text: string | Uint8Array) => void parts.push(typeof text === 'string' ? text : '');
  const view = readableView({ out, color: false, columns: Number.POSITIVE_INFINITY }, { live: false });
  await view.show(chunks);
  await view.end();
  return tailAnswer(parts.join(''));
}
