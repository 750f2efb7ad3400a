import { FakeSessionAdapter } from '../../../../daemon/sessions/fake/fake.ts';
import { describeAdapter } from '../../../helpers/adapterContract.ts';
import { sessionPlace } from '../../../helpers/fakeSession.ts';

describeAdapter('the fake', async () => {
  const { fixturesDir, input, envelope, received } = await sessionPlace();
  const adapter = () => new FakeSessionAdapter({ fixturesDir, delayMs: 5 });
  return {
    adapter: adapter(),
    input,
    received,
    afterRestart: adapter,
    envelope: (nth = 1) => envelope({ attempt: nth }),
  };
});
