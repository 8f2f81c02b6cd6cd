/** The command line was wrong, as shells and most tools say it. */
export const USAGE_EXIT = 2
