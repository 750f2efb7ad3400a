/** How many of what is over a list shows unless it is asked for more; what is open is always shown. */
export const LIST_LIMIT = 100;
