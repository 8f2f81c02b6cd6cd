import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Block } from './block.ts'
import { findBlockAt } from './block-at.ts'
import { createLogPages } from './log-pages.ts'
import { type Expected, isAbout, type Log } from './logs.ts'

/**
 * The log that used or cancelled an authorization. Throws where it is not found yet: then the next call goes on from
 * there. Undefined where the node shows none in all the time in which it can have been used.
 */
export type FindUse = (
  expected: Expected,
  latest: Block,
  claimedAtMs: number | undefined,
) => Promise<Log | undefined>

type Ports = { rpc: JsonRpc; logRangeBlocks: number }
/** What is still to be searched: up from the claim first, then down from it. */
type Search = { from: number; to: number; below: number; floor: number; isWhole: boolean }

/** A payment is sent after its claim; clocks may differ by this much. */
const CLAIM_MARGIN_S = 20
/** Whoever had it before us may have sent it: payments live six minutes here, and fifteen with careful payers. */
export const SEARCH_BACK_S = 1_800
/** A use comes before the expiry. A cancellation may come later; by then it is usually known to be dead. */
export const SEARCH_ON_S = 600
/** Per call; the next one goes on. */
const PAGE_LIMIT = 60
const REMEMBERED = 1_000

/** The token says that it was used; this says where. Pages, because nodes accept only short ranges. */
export function createFindUse({ rpc, logRangeBlocks }: Ports): FindUse {
  const pages = createLogPages({ rpc, largest: logRangeBlocks })
  const searches = createBoundedCache<string, Search | undefined>({ capacity: REMEMBERED })
  return async (expected, latest, claimedAtMs) => {
    const key = `${expected.payer} ${expected.nonce}`
    const begin = () => beginSearch(rpc, expected, latest, claimedAtMs)
    const before = searches.get(key)
    let search = before ?? (await begin())
    searches.set(key, search)
    for (let page = 0; page < PAGE_LIMIT; page++) {
      const isUp = search.from <= search.to
      if (!isUp && search.below < search.floor) {
        searches.set(key, undefined)
        if (search.isWhole) return undefined
        if (search !== before)
          throw new Error('the authorization was used, in a block out of reach of the search')
        // Part of it was searched earlier, at a node that may have had less of the chain.
        search = await begin()
        searches.set(key, search)
        continue
      }
      const { logs, from, to } = await (isUp
        ? pages.up(expected, search.from, search.to)
        : pages.down(expected, search.floor, search.below))
      const log = logs.find((each) => isAbout(each, expected))
      if (log) {
        searches.set(key, undefined)
        return log
      }
      if (isUp) search.from = Math.max(search.from, to + 1)
      else search.below = Math.min(search.below, from - 1)
    }
    throw new Error('the authorization was used; the search for its block goes on')
  }
}

async function beginSearch(
  rpc: JsonRpc,
  { validBeforeS }: Expected,
  latest: Block,
  claimedAtMs: number | undefined,
): Promise<Search> {
  const earliestS = validBeforeS - SEARCH_BACK_S
  const claimedS = claimedAtMs === undefined ? earliestS : claimedAtMs / SECOND_MS - CLAIM_MARGIN_S
  const from = await findBlockAt(rpc, latest, Math.max(earliestS, claimedS))
  const to = await findBlockAt(rpc, latest, validBeforeS + SEARCH_ON_S)
  const floor = await findBlockAt(rpc, latest, earliestS)
  const isWhole = latest.timestamp > validBeforeS + SEARCH_ON_S
  return { from: Math.min(from, to), to, below: Math.min(from, to) - 1, floor, isWhole }
}
