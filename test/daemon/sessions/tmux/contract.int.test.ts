import { describeAdapter } from '../../../helpers/adapterContract.ts';
import { useScriptedSessions } from '../../../helpers/scriptedSession.ts';

const given = useScriptedSessions();

for (const shared of [false, true]) {
  const make = async () => {
    const { adapter, input, envelope, journal, next, type } = await given({ shared });
    return {
      adapter,
      input,
      afterRestart: () => next(),
      envelope: (nth = 1) => envelope({ attempt: nth }),
      received: async () => (await journal()).flatMap(({ dedupKeys }) => dedupKeys),
      // Without their first and last line.
      messages: async () => (await journal()).map(({ text = '' }) => text.split('\n').slice(1, -1).join('\n')),
      asking: {
        envelope: (nth = 1) => envelope({ attempt: nth, instructions: 'Scenario: permission' }),
        answer: () => type('1'),
      },
    };
  };
  describeAdapter(`scripted on ${shared ? 'a shared' : 'an own'} server`, make, { asks: true });
}
