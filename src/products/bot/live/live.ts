import type { Listener } from '../../../catalog/endpoints/event-stream.ts'
import type { Log } from '../../../core/log.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { WINDOW_S, windowAt } from '../../../core/time/window.ts'
import type { SignalEngine } from '../../../signals/live/engine.ts'
import { isoTime } from '../../fields.ts'
import { describeWindow } from '../../market/btc-resolve.ts'
import { SIGNAL_FRESH_MS } from '../../signals/fields.ts'
import { midOf } from '../market-odds.ts'
import type { BotServices } from '../services.ts'
import { createDelayedTrack, type Sample } from './delayed-track.ts'
import { LIVE_SOURCE, type LiveEvent } from './live-event.ts'
import { readSlowParts, type SlowParts } from './slow-parts.ts'

/** What the live dashboard shows. Everybody may see it, so it holds nothing that is sold while it is fresh. */
export type Live = {
  /** Everything at once; one object until the next second. */
  now(): LiveEvent
  /** Hears everything at once, and then what has changed, at most once a second. */
  listen(listener: Listener<LiveEvent>): () => void
  stop(): void
}

/** What a group needs that tells or shows it. */
export type LiveServices = { live: Pick<Live, 'now' | 'listen'> }

export type LivePorts = Pick<
  BotServices,
  'clock' | 'market' | 'fiveMinute' | 'record' | 'results' | 'bot' | 'sourceOf'
> & { signals: Pick<SignalEngine, 'signal'>; log: Log }

const COIN = 'BTC'
const KIND = 'twap_60s'
const STEP_MS = SECOND_MS
/** Results and record are looked at again so often. */
const SLOW_MS = 5 * SECOND_MS
/** The open window and the two before it. */
export const PRICE_S = 3 * WINDOW_S

export function createLive(ports: LivePorts): Live {
  const { clock, market, log } = ports
  const track = createDelayedTrack()
  const listeners = new Set<Listener<LiveEvent>>()
  const told = { priceMs: 0, sampleMs: 0, window: '' }
  let slow: SlowParts = { signals: [], bot: null, equity: [] }
  let news: Partial<SlowParts> = {}
  let snapshot: LiveEvent | undefined
  let isReading = false

  const toEvent = (isSnapshot: boolean, afterMs: { price: number; sample: number }): LiveEvent => ({
    timestamp: isoTime(clock.now()),
    source: ports.sourceOf(LIVE_SOURCE),
    snapshot: isSnapshot,
    price: pricesOf(market, afterMs.price),
    delayed: track.told(clock.now(), afterMs.sample).map(toDelayed),
    equity: [],
  })
  const takeWindow = (): Pick<LiveEvent, 'window'> => {
    const window = windowOf(ports)
    const text = JSON.stringify(window)
    if (text === told.window) return {}
    told.window = text
    return { window }
  }
  const step = () => {
    track.take(sampleOf(ports))
    const change: LiveEvent = {
      ...toEvent(false, { price: told.priceMs, sample: told.sampleMs }),
      ...takeWindow(),
      ...news,
    }
    told.priceMs = (change.price.at(-1)?.[0] ?? told.priceMs / SECOND_MS) * SECOND_MS
    told.sampleMs = track.told(clock.now()).at(-1)?.atMs ?? 0
    news = {}
    snapshot = undefined
    for (const { hear } of listeners) hear(change)
  }
  const readSlow = async () => {
    if (isReading) return
    isReading = true
    try {
      const next = await readSlowParts(ports)
      news = { ...news, ...changesOf(slow, next) }
      slow = next
    } catch (err) {
      log.error({ err }, 'the live dashboard could not read results')
    } finally {
      isReading = false
    }
  }
  const now = () => {
    snapshot ??= { ...toEvent(true, { price: 0, sample: 0 }), ...slow, window: windowOf(ports) }
    return snapshot
  }
  const stops = [clock.every(STEP_MS, step), clock.every(SLOW_MS, () => void readSlow())]
  void readSlow()
  return {
    now,
    listen(listener) {
      listener.hear(now())
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: () => stops.forEach((stop) => void stop()),
  }
}

function windowOf({ market, clock }: Pick<LivePorts, 'market' | 'clock'>): NonNullable<LiveEvent['window']> {
  const tick = market.oracle(COIN).last[KIND]
  const { startS, endS } = windowAt(clock.now())
  const seen = tick && describeWindow(market, tick, clock.now())
  const open = seen?.window_start === startS ? seen.open_price_usd : null
  return { window_start: startS, window_end: endS, open_price_usd: open === null ? null : toCents(open) }
}

/** Finer is not shown, and is not sent a thousand times. */
const toCents = (price: number) => Math.round(price * 100) / 100

function pricesOf(market: LivePorts['market'], afterMs: number): LiveEvent['price'] {
  const ticks = market.oracle(COIN).history(KIND, PRICE_S)
  return ticks
    .map(({ atMs, price }): [number, number] => [Math.floor(atMs / SECOND_MS), toCents(price)])
    .filter(([second]) => second * SECOND_MS > afterMs)
}

/** A stale signal is no signal. */
function sampleOf({ clock, signals, fiveMinute }: LivePorts): Sample {
  const atMs = clock.now()
  const signal = signals.signal(COIN)
  const isFresh = signal !== undefined && atMs - signal.asOfMs <= SIGNAL_FRESH_MS
  const open = fiveMinute.open(COIN)
  return {
    atMs,
    probabilityUp: isFresh ? signal.probabilityUp : undefined,
    marketUp: (open && midOf(open.up)) ?? undefined,
    bookImbalance: isFresh ? signal.indicators.bookImbalance : undefined,
  }
}

const STEPS = 10_000
const shown = (value: number | undefined) => (value === undefined ? null : Math.round(value * STEPS) / STEPS)

const toDelayed = (sample: Sample): LiveEvent['delayed'][number] => [
  Math.floor(sample.atMs / SECOND_MS),
  shown(sample.probabilityUp),
  shown(sample.marketUp),
  shown(sample.bookImbalance),
]

/** Whole parts that differ, and of the curve the points that do. */
function changesOf(last: SlowParts, next: SlowParts): Partial<SlowParts> {
  const differs = (part: keyof SlowParts) => JSON.stringify(last[part]) !== JSON.stringify(next[part])
  const known = new Map(last.equity)
  const equity = next.equity.filter(([second, profit]) => known.get(second) !== profit)
  return {
    ...(differs('signals') && { signals: next.signals }),
    ...(differs('bot') && { bot: next.bot }),
    ...(equity.length > 0 && { equity }),
  }
}
