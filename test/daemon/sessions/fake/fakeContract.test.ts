import { FakeSessionAdapter } from '../../../../daemon/sessions/fake/fake.ts';
import { readFakeJournal } from '../../../../daemon/sessions/fake/fakeJournal.ts';
import { describeAdapter } from '../../../helpers/adapterContract.ts';
import { sessionPlace } from '../../../helpers/fakeSession.ts';

describeAdapter('the fake', async () => {
  const { fixturesDir, input, envelope, received } = await sessionPlace();
  const adapter = () => new FakeSessionAdapter({ fixturesDir, delayMs: 5 });
  return {
    adapter: adapter(),
    input,
    received,
    messages: async () =>
      (await readFakeJournal(input.sessionDir)).flatMap((line) => (line.type === 'read' ? [line.text] : [])),
    afterRestart: adapter,
    envelope: (nth = 1) => envelope({ attempt: nth }),
  };
});
