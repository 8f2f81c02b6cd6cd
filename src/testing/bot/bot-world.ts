import { createBot, type RunningBot } from '../../bot/create-bot.ts'
import type { BotPorts } from '../../bot/ports.ts'
import type { Coin } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import { ServiceError } from '../../core/service-error.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { windowAt } from '../../core/time/window.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import type { BotBook, TradeRow } from '../../ledger/ports/bot-book.ts'
import type { Direction } from '../../signals/signal.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { createKeptLog } from '../kept-log.ts'
import { createMemoryBotBook } from '../ledger/bot/memory-bot-book.ts'
import { createMemoryBotRows } from '../ledger/bot/memory-bot-rows.ts'
import { fiveMinuteMarket } from '../prediction/five-minute-market.ts'
import { signalAt } from '../products/hand-made-signals.ts'
import { createScriptedBroker, type ScriptedBroker } from './scripted-broker.ts'

/** A bot on a clock that stands still, with a ledger and a venue that outlive it. */
export type BotWorld = {
  clock: ManualClock
  bot: RunningBot
  book: BotBook
  paper: ScriptedBroker
  polymarket: ScriptedBroker
  log: ReturnType<typeof createKeptLog>
  settled: TradeRow[]
  /** Of UP for each coin; undefined: no signal. */
  probability: Partial<Record<Coin, number>>
  asks: readonly Level[]
  bids: readonly Level[]
  /** The next write to the ledger of this name fails, and the one after it, until it is taken out. */
  failing: Set<keyof BotBook>
  /** The bot dies at this call of its ledger or venue, which takes effect or not; it is not answered. */
  kill: { atCall: number; effect: boolean } | undefined
  /** Calls of this bot so far. */
  calls: number
  isDead(): boolean
  /** Moves time in steps, of a second if not told otherwise, and lets all work end after each. */
  run(seconds: number, stepS?: number): Promise<void>
  /** Until so many seconds after the start of the window that is open. */
  runTo(secondsSinceStart: number): Promise<void>
  /** The venue says how a window ended. `silently`: only who asks hears of it. */
  resolve(coin: Coin, windowStartS: number, outcome: Direction | 'SPLIT', silently?: 'silently'): void
  market(coin: Coin, windowStartS: number): FiveMinuteMarket
  /** Ends the bot as a crash does, and starts another one on the same ledger and venue. */
  restart(): Promise<void>
}

export const WORLD_START_S = 1_767_614_400

export async function createBotWorld(
  given: { coins?: readonly Coin[]; book?: BotBook; polymarket?: 'missing' } = {},
): Promise<BotWorld> {
  const clock = createManualClock(WORLD_START_S * 1000)
  const stored = given.book ?? createMemoryBotBook(createMemoryBotRows())
  const outcomes = new Map<string, Direction | 'SPLIT'>()
  const listeners = new Set<(market: FiveMinuteMarket) => void>()
  const paper = createScriptedBroker('paper')
  const polymarket = createScriptedBroker('polymarket')
  const failing = new Set<keyof BotBook>()
  const marketOf = (coin: Coin, startS: number) => {
    const end = outcomes.get(`${coin}-${startS}`)
    const market = fiveMinuteMarket({ coin, startS, outcome: end === 'SPLIT' ? undefined : end })
    return { ...market, acceptingOrders: clock.now() < market.window.endS * 1000 }
  }
  const coins = given.coins ?? ['BTC']
  let life = new AbortController()
  const world: BotWorld = {
    clock,
    book: withFaults(stored, failing),
    paper,
    polymarket,
    log: createKeptLog(),
    settled: [],
    probability: Object.fromEntries(coins.map((coin) => [coin, 0.7])),
    asks: [[0.5, 1_000]],
    bids: [[0.48, 1_000]],
    failing,
    market: marketOf,
    bot: undefined as unknown as RunningBot,
    kill: undefined,
    calls: 0,
    isDead: () => life.signal.aborted,
    async run(seconds, stepS = 1) {
      for (let passed = 0; passed < seconds; passed += stepS) {
        clock.advance(stepS * 1000)
        await Promise.race([world.bot.idle(), aborted(life.signal)])
      }
    },
    async runTo(secondsSinceStart) {
      const { startS } = windowAt(clock.now())
      await world.run(startS + secondsSinceStart - clock.now() / 1000)
    },
    resolve(coin, windowStartS, outcome, silently) {
      outcomes.set(`${coin}-${windowStartS}`, outcome)
      const market = marketOf(coin, windowStartS)
      const { up, down } = market.tokens
      for (const venue of [paper, polymarket])
        if (outcome === 'SPLIT') venue.halves.add(up).add(down)
        else venue.winners.add(outcome === 'UP' ? up : down)
      if (!silently) for (const tell of listeners) tell(market)
    },
    async restart() {
      life.abort()
      life = new AbortController()
      listeners.clear()
      world.calls = 0
      world.bot = createBot(portsOf(world, { coins, life, outcomes, listeners, given }))
      const started = world.bot.start().then(() => world.bot.idle())
      await Promise.race([started, aborted(life.signal)])
    },
  }
  await world.restart()
  return world
}

type Inner = {
  coins: readonly Coin[]
  life: AbortController
  outcomes: ReadonlyMap<string, Direction | 'SPLIT'>
  listeners: Set<(market: FiveMinuteMarket) => void>
  given: { polymarket?: 'missing' }
}

function portsOf(world: BotWorld, { coins, life, outcomes, listeners, given }: Inner): BotPorts {
  const { clock, log } = world
  const unlessDead = (task: () => void) => () => void (life.signal.aborted || task())
  const mortal = <T extends object>(port: T) => withDeath(port, world, life)
  return {
    clock: {
      now: clock.now,
      after: (ms, task) => clock.after(ms, unlessDead(task)),
      every: (ms, task) => clock.every(ms, unlessDead(task)),
    },
    log,
    book: mortal(world.book),
    brokers: {
      paper: mortal(world.paper),
      polymarket: given.polymarket ? undefined : mortal(world.polymarket),
    },
    whyNoLive: 'live trading is not configured: set the owner key',
    signals: {
      signal: (coin) => {
        const probability = world.probability[coin]
        return probability === undefined ? undefined : signalAt(coin, clock.now(), probability)
      },
      missing: () => 'the signal warms up',
    },
    markets: {
      open: (coin) => (coins.includes(coin) ? windowMarket(world, coin) : undefined),
      missing: () => 'the market is not listed',
      market: (coin, startS) => (coins.includes(coin) ? world.market(coin, startS) : undefined),
      onResolved(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    findOutcome: async (coin, startS) => outcomes.get(`${coin}-${startS}`),
    onSettled: (trade) => void world.settled.push(trade),
  }
}

function windowMarket({ clock, asks, bids, market: marketOf }: BotWorld, coin: Coin): WindowMarket {
  const market = marketOf(coin, windowAt(clock.now()).startS)
  const bookOf = (tokenId: string) => ({
    tokenId,
    conditionId: market.conditionId,
    asks,
    bids,
    tickSize: 0.01,
    minOrderSize: 5,
    lastTradePrice: undefined,
    hash: undefined,
    atMs: clock.now(),
  })
  const { up, down } = market.tokens
  const asOfMs = clock.now()
  return { market, up: bookOf(up), down: bookOf(down), asOfMs, marketAsOfMs: asOfMs, version: 1 }
}

/** A port that stops answering for ever when its bot dies. */
function withDeath<T extends object>(port: T, world: BotWorld, life: AbortController): T {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...given: unknown[]) => {
        if (life.signal.aborted) return forEver()
        if (++world.calls !== world.kill?.atCall) {
          const answer: unknown = await method(...given)
          return life.signal.aborted ? forEver() : answer
        }
        if (world.kill.effect) await method(...given)
        life.abort()
        return forEver()
      }
    },
  })
}

const forEver = () => new Promise<never>(() => {})

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** A book whose named methods reject. */
function withFaults(book: BotBook, failing: ReadonlySet<keyof BotBook>): BotBook {
  return new Proxy(book, {
    get(target, name: keyof BotBook) {
      if (!failing.has(name)) return target[name]
      return async () => {
        throw new ServiceError('store_unavailable', 'the disk is full')
      }
    },
  })
}
