import { describeAdapter } from '../../../helpers/adapterContract.ts';
import { useScriptedSessions } from '../../../helpers/scriptedSession.ts';

const given = useScriptedSessions();

for (const shared of [false, true]) {
  describeAdapter(`scripted on ${shared ? 'a shared' : 'an own'} server`, async () => {
    const { adapter, input, envelope, journal, next } = await given({ shared });
    return {
      ...{ adapter, input, afterRestart: () => next() },
      envelope: (nth = 1) => envelope({ attempt: nth }),
      received: async () => (await journal()).flatMap(({ dedupKeys }) => dedupKeys),
    };
  });
}
