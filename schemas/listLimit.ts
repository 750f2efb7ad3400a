/** How many of the newest rows a list shows by default. It always shows what is open. */
export const LIST_LIMIT = 100;
