import type { Clock } from '../../../core/clock.ts'
import type { Coin } from '../../../core/coin.ts'
import type { OpenSocket } from '../../open-socket.ts'
import { BookSequenceError, type VenueClient, type WireWatch } from '../venue-client.ts'
import { createVenueStreams, type Stream } from '../venue-streams.ts'
import { createDepthSync, type DepthSync } from './depth-sync.ts'
import { createBinanceRest } from './rest.ts'
import { binanceSymbolOf, type DepthChange, readBinanceMessage } from './wire.ts'

/** Snapshots asked for in a row when each was older than the changes we have. */
const SNAPSHOT_ATTEMPTS = 3
/** A change of a hundred milliseconds has a few hundred levels at most. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024
/** Binance disconnects clients that send more than five messages a second, pongs included. */
const ALLOWANCE = { burst: 2, perSecond: 2 }

export type BinanceOptions = {
  restUrl: string
  wsUrl: string
  clock: Clock
  watch: WireWatch
  openSocket: OpenSocket
  /** Keeps within the venue's rate limits; off only against a server of our own. */
  isPaced: boolean
}

/** Binance spot: aggregate trades, whose ids have no holes, and books from numbered changes, all on one connection. */
export function createBinanceClient(options: BinanceOptions): VenueClient {
  const { wsUrl, clock, watch, openSocket, isPaced } = options
  const rest = createBinanceRest(options)
  const syncs = new Map<Coin, DepthSync>()
  const asking = new WeakSet<DepthSync>()
  let requests = 0

  const streams = createVenueStreams({
    url: `${wsUrl}/ws`,
    maxFrameBytes: MAX_FRAME_BYTES,
    clock,
    allowance: isPaced ? ALLOWANCE : undefined,
    openSocket,
    topicOf,
    requestOf: (verb, params) => ({ method: verb.toUpperCase(), params, id: ++requests }),
    onMessage(message) {
      const read = readBinanceMessage(message, clock.now())
      if (read.kind === 'trade') streams.trade(read.trade)
      else if (read.kind === 'depth') takeChange(read.coin, read.change)
      else if (read.kind === 'refused') streams.drop(`refused: ${read.reason}`)
      else if (read.kind === 'malformed') watch.malformed(read.stream, read.coin)
    },
    onBookOpened: (coin) => void syncs.set(coin, createDepthSync()),
    onBookClosed: (coin) => void syncs.delete(coin),
  })
  const takeChange = (coin: Coin, change: DepthChange) => {
    const sync = syncs.get(coin)
    const taken = sync?.change(change)
    if (!sync || taken === 'old') return
    if (taken === 'changed') streams.book(coin, sync.read())
    else if (taken === 'gap') streams.bookFailed(coin, new BookSequenceError(`gap before ${change.firstId}`))
    else if (!asking.has(sync)) {
      // Not sooner: a snapshot requested before the first change is often older than it.
      asking.add(sync)
      void startFromSnapshot(coin, sync)
    }
  }
  const startFromSnapshot = async (coin: Coin, sync: DepthSync) => {
    try {
      for (let attempt = 0; attempt < SNAPSHOT_ATTEMPTS; attempt++) {
        const snapshot = await rest.depth(coin)
        // The subscription it was requested for has ended.
        if (syncs.get(coin) !== sync) return
        if (sync.start(snapshot) === 'changed') return streams.book(coin, sync.read())
      }
      throw new BookSequenceError('snapshots older than the changes')
    } catch (error) {
      if (syncs.get(coin) === sync) streams.bookFailed(coin, error instanceof Error ? error : new Error())
    }
  }

  return {
    venue: 'binance',
    watchTrades: streams.watchTrades,
    watchBook: streams.watchBook,
    resyncBook: streams.resyncBook,
    restart: streams.restart,
    latestTrade: rest.latestTrade,
    tradesBetween: rest.tradesBetween,
    klines: rest.klines,
    async close() {
      rest.close()
      streams.close()
    },
  }
}

function topicOf(stream: Stream, coin: Coin): string {
  return `${binanceSymbolOf(coin).toLowerCase()}@${stream === 'book' ? 'depth@100ms' : 'aggTrade'}`
}
