import { BollingerBands, EMA, MACD, ROC, RSI } from 'trading-signals'
import { COINS, type Coin } from '../../src/core/coin.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { timed } from '../harness/timed.ts'
import { type MarketEvent, marketEvents, take, tell } from './events.ts'
import { createWorld } from './world.ts'

/** What is done with every event; `advance` is called after every quarter of a second of market time. */
type Contender = { hear(event: MarketEvent): void; advance(toMs: number): void; checked(): number }
export const CONTENDERS = ['engine', 'engine, every signal read', 'parse only', 'library only'] as const
export type ContenderName = (typeof CONTENDERS)[number]

const START_MS = Date.UTC(2026, 0, 5, 12)
const BATCH = 20_000
const WARM_UP = 60_000
const ADVANCE_EVERY_MS = 250

/** Events per second of CPU time, garbage collection included; making the events is not counted. */
export function measureThroughput(name: ContenderName, events: number): number {
  const contender = MAKERS[name]()
  const source = marketEvents(START_MS, 'throughput')
  hearAll(contender, take(source, WARM_UP), name)
  let cpuUs = 0
  for (let heard = 0; heard < events; heard += BATCH) cpuUs += hearAll(contender, take(source, BATCH), name)
  if (!Number.isFinite(contender.checked())) throw new Error(`${name} came to no result`)
  return (events / cpuUs) * 1e6
}

/** CPU time that it took. */
function hearAll({ hear, advance }: Contender, batch: readonly MarketEvent[], name: ContenderName): number {
  const texts = name === 'parse only' ? batch.map(({ event }) => JSON.stringify(event)) : undefined
  const parseEach = () => {
    for (const each of texts ?? []) parsed = JSON.parse(each)
  }
  const hearEach = () => {
    let advancedMs = 0
    for (const event of batch) {
      if (event.atMs - advancedMs >= ADVANCE_EVERY_MS) {
        advance(event.atMs)
        advancedMs = event.atMs
      }
      hear(event)
    }
  }
  return timed(texts ? parseEach : hearEach).cpuUs
}
let parsed: MarketEvent['event'] | undefined

const MAKERS: Record<ContenderName, () => Contender> = {
  engine: () => createEngine(false),
  'engine, every signal read': () => createEngine(true),
  'parse only': () => ({ hear() {}, advance() {}, checked: () => parsed?.atMs ?? Number.NaN }),
  'library only': createLibrary,
}

function createEngine(isRead: boolean): Contender {
  const clock = createManualClock(START_MS)
  const { sink, engine } = createWorld(clock)
  clock.advance(5_000)
  let sum = 0
  engine.onSignal((coin) => {
    if (isRead) sum += engine.signal(coin)?.probabilityUp ?? 0
  })
  return {
    hear: (event) => tell(sink, event),
    advance: (toMs) => clock.advanceTo(toMs),
    checked: () => COINS.reduce((all, coin) => all + (engine.signal(coin)?.probabilityUp ?? Number.NaN), sum),
  }
}

/** Four indicators of the running minute, brought up to date with every price: what a bot of few lines does. */
function createLibrary(): Contender {
  const create = () => [
    new RSI(14),
    new MACD(new EMA(12), new EMA(26), new EMA(9)),
    new BollingerBands(20),
    new ROC(5),
  ]
  const coins = Object.fromEntries(COINS.map((coin) => [coin, create()])) as Record<
    Coin,
    ReturnType<typeof create>
  >
  for (let minute = 0; minute < 100; minute++)
    for (const coin of COINS) for (const each of coins[coin]) each.update(100 + Math.sin(minute), false)
  let last = 0
  return {
    hear({ type, event }) {
      const price = type === 'book' ? (event.bids[0]?.[0] ?? 0) : event.price
      for (const each of coins[event.coin]) each.update(price, true)
      last = price
    },
    advance() {},
    checked: () => last,
  }
}
