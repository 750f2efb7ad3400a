import { defined } from '../../../schemas/defined.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { visible } from '../../../schemas/text/visible.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { maskSecrets } from '../../sessions/transcript/maskSecrets.ts';
import type { News } from './news.ts';

/** The same news has the same id, so a receiver can drop what it has. */
export function newsId({ key }: Pick<News, 'key'>): string {
  return derivedId('news', key);
}

/** The bytes that are sent, and signed. `now` is for news without a time of their own. */
export function bodyOf(news: News, now: Date): string {
  const { kind, since, title, text, how, run } = news;
  const [shownTitle, sentence] = [shown(title), shown(withLocalTimes(text))];
  return JSON.stringify(
    defined({
      id: newsId(news),
      kind,
      at: since ?? now.toISOString(),
      text: escapeMarks([shownTitle, sentence, how].filter((line) => line !== undefined).join('\n')),
      title: shownTitle,
      runId: run?.id,
      repo: run && shown(run.repo),
      state: run?.state,
      how,
    }),
  );
}

/** A title may be an agent's words, or the first line of a prompt. */
function shown(text: string): string {
  return visible(maskSecrets(text));
}

/** Slack reads `text` as markup: `<!channel>` in a title would call everybody. */
function escapeMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
