/**
 * How far each search goes: `share` in every run of the tests, `full` with `npm run search`, which takes minutes.
 * This table is the only place for these numbers; `npm run search -- --tamperings 500` replaces one of them.
 */
export const SEARCH_SIZES = {
  /** Tries of each way to tamper with a short record. */
  tamperings: { share: 3, full: 20 },
  /** Windows of the long record in which one entry is tampered with. */
  windows: { share: 400, full: 10_000 },
  /** Ways to tamper that are tried in the long record. */
  kinds: { share: 4, full: 4 },
  /** Calls of the ledger between those that fail or are the last: 1 tries every call. */
  'crash-step': { share: 4, full: 1 },
  /** How often a process that writes is killed. */
  kills: { share: 3, full: 12 },
  /** Market time behind a bad network. */
  'replay-minutes': { share: 15, full: 60 },
  /** Services that are started at a random second and cut off at random. */
  cuts: { share: 1, full: 12 },
  /** Of the ways to hear half of a minute, every how many is tried. */
  'half-heard-step': { share: 3, full: 1 },
  /** Of all pairs of an upstream and a way to fail, every how many is tried. */
  'outage-step': { share: 7, full: 1 },
  /** The same of the sources of intelligence. */
  'intel-outage-step': { share: 61, full: 1 },
  /** Time for which all products of the sources of intelligence are asked for by a crowd. */
  'intel-load-seconds': { share: 65, full: 900 },
  /** Windows whose future is replaced in search of a leak. */
  leaks: { share: 40, full: 200 },
  /** Days on which the live engine and the backtest are compared. */
  'live-days': { share: 1, full: 2 },
  /** Days that a model is fitted to before the block it is judged by. */
  'training-days': { share: 7, full: 14 },
  /** Histories in which nothing can be learnt that a model is fitted to. */
  'noise-histories': { share: 1, full: 20 },
  /** Sequences of frames and replies from which a book is put together. */
  'book-runs': { share: 200, full: 5_000 },
  /** Market time in which the five-minute markets are followed through outages. */
  'prediction-minutes': { share: 10, full: 1_440 },
  /** Changed payments that are read. */
  mutations: { share: 2_000, full: 20_000 },
  /** Patterns of requests, delays and limits that are sent through the pacer. */
  pacings: { share: 200, full: 3_000 },
  /** Changed copies of each reply of a provider that are read. */
  'payload-mutations': { share: 200, full: 10_000 },
  /** Market time in which the makers of the simulated venue are judged. */
  'venue-minutes': { share: 30, full: 1_440 },
  /** Of the calls at which the bot is killed, every how many is tried. */
  'bot-kill-step': { share: 2, full: 1 },
  /** Of the commands, every how many is started with a reader that is gone. */
  'command-step': { share: 4, full: 1 },
  /** Of the odd requests to each of the operator's endpoints, every how many is sent. */
  'odd-request-step': { share: 5, full: 1 },
} as const

export type SearchName = keyof typeof SEARCH_SIZES

/** `npm run search` hands the sizes to the test processes in variables of these names. */
export const variableOf = (name: SearchName): string =>
  `TOLLBOOK_SEARCH_${name.replaceAll('-', '_').toUpperCase()}`

export function searchSize(name: SearchName): number {
  const size = Number(process.env[variableOf(name)] ?? SEARCH_SIZES[name].share)
  if (!(Number.isInteger(size) && size > 0))
    throw new Error(`${variableOf(name)} must be a whole number above 0`)
  return size
}
