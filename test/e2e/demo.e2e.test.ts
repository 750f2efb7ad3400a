import { expect, it } from 'vitest';
import { makeDaemon } from '../helpers/daemon.ts';
import { seatRobot } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';

it('opens the dashboard on its finished run and says what comes next, but not in CI', async () => {
  const daemon = await makeDaemon();
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 110, rows: 40 });
  robot.type(`clear; ${desk.devflow} demo --fast; echo "exit $?"\n`);
  await robot.until('the dashboard is open', () => robot.ask('#{alternate_on}') === '1');
  await robot.sees('[Overview]');
  await robot.sees('completed');
  robot.press('q');
  await robot.sees('Next, in your own repository: devflow up');
  await robot.sees('exit 0');

  // Other words than before: the first demo's may still be on the screen.
  robot.type(`clear; CI=true ${desk.devflow} demo --fast; echo "exit in CI $?"\n`);
  await robot.sees('exit in CI 0');
  expect(robot.screen().join('\n')).not.toContain('Opening the dashboard');
});
