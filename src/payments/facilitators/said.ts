const LONGEST_WORDS = 200

/** What a facilitator says, for the operator's log: it may be anything, of any length. */
export const shortWords = (said: string | undefined): string | undefined =>
  said === undefined ? undefined : said.replace(/[^\x20-\x7e]+/g, ' ').slice(0, LONGEST_WORDS)
