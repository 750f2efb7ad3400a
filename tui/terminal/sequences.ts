/** Rows never wrap: a row that the terminal measures wider must not spill into the next one. */
export const OPEN = '\u001b[?1049h\u001b[?25l\u001b[?7l';
/** For the mouse and pasted text. */
export const LISTEN = '\u001b[?1000h\u001b[?1006h\u001b[?2004h';
export const CLEAR = '\u001b[2J';
/** Puts the cursor into the first cell. */
export const HOME = '\u001b[H';
export const LEAVE = '\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[m\u001b[?7h\u001b[?25h\u001b[?1049l';
