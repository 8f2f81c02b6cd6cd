import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { windowAt } from '../../core/time/window.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { createSettledTrades } from './settled-trades.ts'
import { createSpeaker, type SpeakerCounts, type SpeakerOptions } from './speaker.ts'

/** Tells other processes what the engine knows, over Redis. */
export type Publisher = {
  /** Gets every event of the feeds, after the market and the signals have got it. */
  sink: FeedSink
  /** A trade whose row is in the ledger. */
  settled(trade: Pick<TradeRow, 'broker' | 'conditionId'>): void
  counts(): SpeakerCounts
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Books are told so often at most, and everything else too. It is also the sign of life. */
export const TURN_MS = 100
export function openPublisher(options: SpeakerOptions): Publisher {
  const { clock, epoch, mayBegin = () => true } = options
  const settled = createSettledTrades(epoch)
  const speaker = createSpeaker(options, settled.told)
  let running: Promise<void> | undefined
  const run = async () => {
    do await speaker.turn()
    while (speaker.hasMore())
    running = undefined
  }
  const stopTurns = everyTurn(clock, () => {
    if (running || !mayBegin()) speaker.bound()
    else running = run()
  })
  return {
    sink: speaker.sink,
    settled: settled.add,
    counts: speaker.counts,
    async idle() {
      while (running) await running
    },
    async stop() {
      stopTurns()
      speaker.stop()
      await running
    },
  }
}

/** And when a window opens, since its market is asked for at once. */
function everyTurn(clock: Clock, look: () => void): () => void {
  const stopTurns = clock.every(TURN_MS, look)
  let cancel = () => {}
  const awaitWindow = () => {
    cancel = clock.after(windowAt(clock.now()).endS * SECOND_MS - clock.now(), () => {
      look()
      awaitWindow()
    })
  }
  awaitWindow()
  return () => {
    stopTurns()
    cancel()
  }
}
