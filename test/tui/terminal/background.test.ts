import { describe, expect, it } from 'vitest';
import { backgroundIn, backgroundOf } from '../../../tui/terminal/background.ts';
import { backgroundSetting } from '../../../tui/terminal/capabilities.ts';

describe('a reply of the terminal', () => {
  it.each([
    ['rgb:ffff/ffff/ffff', 'light'],
    ['rgb:0000/0000/0000', 'dark'],
    ['rgb:fd/f6/e3', 'light'],
    ['rgb:0/2/3', 'dark'],
    ['rgba:ffff/ffff/ffff/ffff', 'light'],
    ['#fafafa', 'light'],
    ['#282c34', 'dark'],
    // A full red is dark, as a full green is light.
    ['rgb:ffff/0000/0000', 'light'],
    ['rgb:0000/0000/ffff', 'dark'],
  ])('%s is %s', (answer, background) => expect(backgroundOf(answer)).toBe(background));

  it.each([
    '',
    '?',
    'rgb:',
    'rgb:ffff/ffff',
    'rgb:fffff/0/0',
    'rgb:gg/gg/gg',
    'white',
    '#fff',
    'rgb:ffff/ffff/ffff;evil',
  ])('ignores %j', (answer) => expect(backgroundOf(answer)).toBeUndefined());
});

it.each([
  ['15;0', 'dark'],
  ['0;15', 'light'],
  ['0;default;15', 'light'],
  ['0;7', 'light'],
  ['12;8', 'dark'],
  ['0;default', undefined],
  ['0;99', undefined],
  ['', undefined],
])('COLORFGBG=%s is %s', (COLORFGBG, background) => expect(backgroundIn({ COLORFGBG })).toBe(background));

describe('the setting', () => {
  const full = { colors: 256, unicode: true } as const;
  it('wins over the terminal, which is not asked then', () => {
    expect(backgroundSetting('light', full, { COLORFGBG: '15;0' })).toEqual({ background: 'light', asks: false });
    expect(backgroundSetting('dark', full, { COLORFGBG: '0;15' })).toEqual({ background: 'dark', asks: false });
  });
  it('auto follows the environment until the terminal replies', () => {
    expect(backgroundSetting('auto', full, { COLORFGBG: '0;15' })).toEqual({ background: 'light', asks: true });
    expect(backgroundSetting('auto', full, {})).toEqual({ background: undefined, asks: true });
    expect(backgroundSetting('auto', { ...full, colors: 8 }, {})).toEqual({ background: 'dark', asks: false });
    const said = { COLORFGBG: '0;15' };
    expect(backgroundSetting('auto', { ...full, colors: 8 }, said)).toEqual({ background: 'light', asks: false });
  });
});
