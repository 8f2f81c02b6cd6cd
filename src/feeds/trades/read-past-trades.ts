import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Trade } from '../events.ts'
import type { FeedLog } from '../feed-log.ts'
import type { VenueClient } from '../venues/venue-client.ts'

/** Ten time constants of the slowest average over trades: what came before weighs less than 0.005 %. */
const PAST_MINUTES = 10
/** The most trades that a venue returns in one reply. */
const PAGE = 1_000
/** A pair busier than 10,000 trades in ten minutes is read less far back. */
const MAX_PAGES = 10

type Options = {
  client: Pick<VenueClient, 'venue' | 'latestTrade' | 'tradesBetween'>
  coin: Coin
  log: FeedLog
}

/**
 * The trades of the ten whole minutes before this one and of this one so far, oldest first, no id missing, and the one
 * before them, which shows that the first of these minutes is whole. A page that fails ends the reading: only a failure
 * to read the newest trade rejects.
 */
export async function readPastTrades(options: Options, nowMs: number): Promise<readonly Trade[]> {
  const latest = await options.client.latestTrade(options.coin)
  if (!latest) return []
  const sinceMs = nowMs - (nowMs % MINUTE_MS) - PAST_MINUTES * MINUTE_MS
  const trades = [latest]
  let first = latest
  for (let pages = 0; pages < MAX_PAGES && first.atMs >= sinceMs; pages++) {
    const older = await readOlder(options, first.id)
    if (!older[0]) break
    first = older[0]
    trades.unshift(...older)
  }
  const from = trades.findIndex(({ atMs }) => atMs >= sinceMs)
  return from < 0 ? [latest] : trades.slice(Math.max(0, from - 1))
}

/** The page of trades before `id`, from the last missing id on. */
async function readOlder({ client, coin, log }: Options, id: number): Promise<readonly Trade[]> {
  const [fromId, toId] = [Math.max(0, id - PAGE), id - 1]
  if (toId < fromId) return []
  try {
    const page = await client.tradesBetween(coin, fromId, toId)
    const joined = page.findLastIndex((trade, at) => trade.id !== id - (page.length - at))
    return page.slice(joined + 1)
  } catch (error) {
    log.debug({ venue: client.venue, coin, fromId, toId, error: String(error) }, 'past trades not read')
    return []
  }
}
