import { firstSentence } from '../../../schemas/text/firstSentence.ts';
import { visible } from '../../../schemas/text/visible.ts';
import { readValidated, summaryIn } from '../../artifacts/storedArtifact.ts';
import type { EffectOf } from '../../core/effect/effect.ts';

type Named = Pick<EffectOf<'commitWork'>, 'about' | 'lane' | 'part' | 'title'>;

/** What the agent says that it did; without its words, the title of the phase or task. */
export async function commitSubject({ about, lane, part, title }: Named): Promise<string> {
  const summary = about && summaryIn(await readValidated(about, lane.path));
  const sentence = summary === undefined ? undefined : firstSentence(summary);
  return sentence === undefined ? `devflow: ${part ? `${part.assignment}: ` : ''}${title}` : visible(sentence);
}
