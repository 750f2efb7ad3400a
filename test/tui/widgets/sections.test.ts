import { expect, test } from 'vitest';
import { lineWidth, textOf } from '../../../tui/text/line.ts';
import { sectionsLine } from '../../../tui/widgets/sections.ts';

const SECTIONS = ['Overview', 'Lanes', 'Findings', 'Events', 'Report'].map((title, nth) => ({
  id: title,
  title,
  count: nth * 10,
}));
const shown = (id: string, columns?: number) => textOf(sectionsLine(SECTIONS, id, columns)).trimEnd();

test('shows all sections with their numbers where they fit', () => {
  expect(shown('Lanes')).toBe(' Overview 0  [Lanes 10]  Findings 20   Events 30   Report 40');
  expect(shown('Lanes', 60)).toBe(shown('Lanes'));
});

test('leaves out the numbers of the others in a narrow terminal', () => {
  expect(shown('Lanes', 50)).toBe(' Overview [Lanes 10] Findings  Events  Report');
});

test('always shows the current section', () => {
  expect(shown('Report', 30)).toBe('…  Events [Report 40]');
  for (let columns = 20; columns < 70; columns += 1) {
    for (const { id } of SECTIONS) expect(shown(id, columns).slice(0, columns), `${columns}`).toContain(`[${id}`);
  }
  expect(lineWidth(sectionsLine(SECTIONS, 'Overview', 20))).toBeGreaterThan(20);
});
