import type { ConsentView } from '../../../schemas/repository/consent.ts';
import type { ReadParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { call, type Model, type Reply, type Step, step } from '../../model/model.ts';
import { withAnswer } from '../../model/query.ts';
import { span } from '../../text/line.ts';
import { settingsQuery } from './shownRepository.ts';

type View = RpcResult<'repository.show'>;

export const DECIDING = 'recording the decision';

export interface ConsentQuestion {
  /** The settings that were read. */
  readonly about: ReadParams<'repository.show'>;
  /** The person reads these. The decision is about exactly this. */
  readonly consents: readonly ConsentView[];
  /** A further answer, between yes and never. */
  readonly no?: Reply;
  /** After a recorded decision. */
  readonly then: (model: Model, decision: 'allowed' | 'forbidden') => Step;
}

/** Asks whether the settings may run this. A yes and a never are recorded by hash. */
export function askConsent(model: Model, { about, consents, no, then }: ConsentQuestion): Step {
  const hashes = consents.map(({ hash }) => hash);
  const decide = (method: 'repository.allow' | 'repository.forbid') => (later: Model) =>
    step(
      later,
      call(
        method,
        { ...about, hashes },
        {
          doing: DECIDING,
          // It is the newest answer to the question what holds, too.
          then: (answered, value: View) =>
            then(
              withAnswer(answered, settingsQuery(about), { value }),
              method === 'repository.allow' ? 'allowed' : 'forbidden',
            ),
        },
      ),
    );
  return step({
    ...model,
    overlay: {
      kind: 'confirm',
      title: 'Set-up',
      question: 'Allow exactly this in worktrees of the repository?',
      list: consents.flatMap(({ lines }) => lines.map((each) => [span(each)])),
      top: 0,
      yes: 'y',
      label: 'allow',
      then: decide('repository.allow'),
      others: [...(no ? [no] : []), { key: 'v', label: 'never', then: decide('repository.forbid') }],
    },
  });
}
