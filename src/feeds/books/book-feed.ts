import type { Clock } from '../../core/time/clock.ts'
import type { BookFault } from '../events.ts'
import { isSaneTime } from '../sane-time.ts'
import { BookSequenceError, type RawBook } from '../venues/venue-client.ts'
import { type Feed, type FeedOptions, watchLoop } from '../watch-loop.ts'
import { findBookFault } from './book-fault.ts'

/** Every book changes many times a second on both venues. */
const BOOK_STALLED_MS = 15_000
/** How often a book is loaded again: levels outside its snapshot are unknown, and Coinbase does not number changes. */
const BOOK_REFRESH_MS = 10 * 60_000
/** After this many faults in a row a new snapshot is not enough: the connection may be to blame. */
const FAULTS_BEFORE_RESTART = 3

/** Passes on valid books only. One in doubt is reported as lost and loaded again from a snapshot. */
export function createBookFeed(options: FeedOptions): Feed {
  const { clock, client, coin, sink, gauge } = options
  let generation = 0
  let faults = 0
  // A random start, so that not all books are reloaded at once.
  let syncedMs = clock.now() - options.random() * (BOOK_REFRESH_MS / 2)
  let lastFault: BookFault | undefined
  const patience = createPatience(clock)

  const lose = (fault: BookFault) => {
    generation++
    lastFault = fault
    gauge.become('resyncing')
    gauge.count('resyncs')
    sink.bookLost({ venue: client.venue, coin, fault, atMs: clock.now() })
  }
  const resync = (fault: BookFault) => {
    lose(fault)
    syncedMs = clock.now()
    client.resyncBook(coin)
    if (++faults % FAULTS_BEFORE_RESTART === 0) client.restart('book', coin)
  }
  const accept = ({ bids, asks, atMs }: RawBook) => {
    const fault = findBookFault(bids, asks)
    if (fault) {
      resync(fault)
      throw new Error(fault)
    }
    // A snapshot has no timestamp; the first change has one.
    if (atMs === undefined) return
    const nowMs = clock.now()
    const changedMs = isSaneTime(atMs, nowMs) ? atMs : nowMs
    sink.book({ venue: client.venue, coin, bids, asks, atMs: changedMs })
    gauge.arrived(changedMs)
    faults = 0
    patience.renew()
    if (nowMs - syncedMs < BOOK_REFRESH_MS) return
    syncedMs = nowMs
    client.refreshBook(coin)
  }
  const step = async () => {
    const asked = generation
    if (gauge.state === 'connecting') {
      patience.startWaiting()
      if (lastFault && lastFault !== 'disconnected') gauge.become('resyncing')
    }
    try {
      const raw = await client.watchBook(coin)
      // Lost while this one was on its way.
      if (asked === generation) accept(raw)
    } catch (error) {
      const isNews = asked === generation && !options.signal.aborted
      if (isNews && error instanceof BookSequenceError) resync('sequence')
      else if (isNews) lose('disconnected')
      throw error
    }
  }

  return {
    run: () => watchLoop(options, step),
    check() {
      if (gauge.state === 'backoff') return
      const remedy = patience.findRemedy()
      if (!remedy) return
      lose('stalled')
      if (remedy === 'restart') client.restart('book', coin)
      else client.resyncBook(coin)
      gauge.become('stalled')
    },
    isBusy: false,
  }
}

/** How long to wait for a book, counted from the last one or from the last request for one. */
function createPatience(clock: Clock) {
  let waitingMs = clock.now()
  let isSecondTime = false
  return {
    renew() {
      waitingMs = clock.now()
      isSecondTime = false
    },
    startWaiting() {
      waitingMs = clock.now()
    },
    /** The connection carries other streams too, so first only this one is subscribed again. */
    findRemedy(): 'resync' | 'restart' | undefined {
      if (clock.now() - waitingMs < BOOK_STALLED_MS) return undefined
      waitingMs = clock.now()
      const remedy = isSecondTime ? 'restart' : 'resync'
      isSecondTime = !isSecondTime
      return remedy
    },
  }
}
