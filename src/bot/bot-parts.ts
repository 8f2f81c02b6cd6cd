import { ServiceError } from '../core/service-error.ts'
import { windowAt } from '../core/time/window.ts'
import type { BrokerName, DecisionRow } from '../ledger/ports/bot-book.ts'
import type { FiveMinuteMarket } from '../upstreams/polymarket/five-minute-market.ts'
import { createDayFigures } from './account/day-figures.ts'
import { createLedgerView, type LedgerView } from './account/ledger-view.ts'
import type { Today } from './bot.ts'
import { type BreakerKeeper, createBreaker } from './breaker.ts'
import type { Broker } from './brokers/broker.ts'
import { createCheckSwitch } from './config/check-switch.ts'
import { type ConfigKeeper, createConfigKeeper } from './config/config-keeper.ts'
import { createDesk, type Desk } from './desk/desk.ts'
import { createOutcomes } from './desk/outcomes.ts'
import { createNotes, type Notes } from './notes.ts'
import type { BotPorts } from './ports.ts'
import { createDifferences } from './reconcile/differences.ts'
import { createMissingShares } from './reconcile/missing-shares.ts'
import { createPulse, type Pulse } from './reconcile/pulse.ts'
import { createReconciler, type Reconciler } from './reconcile/reconcile.ts'
import type { Redeemer } from './reconcile/redeem.ts'
import { createSteps } from './reconcile/steps.ts'
import { type BossSignals, createBossSignals } from './round/boss-signals.ts'
import { createRounds, type Rounds } from './round/rounds.ts'
import { createTakeLook, type TakeLook } from './round/take-look.ts'
import { createVenueWatch, type VenueWatch } from './venue-watch.ts'
import { createWorkCount, type WorkCount } from './work-count.ts'

/** The parts of a bot, wired together. */
export type BotParts = {
  view: LedgerView
  config: ConfigKeeper
  breaker: BreakerKeeper
  desk: Desk
  bossSignals: BossSignals
  takeLook: TakeLook
  redeemer: Redeemer
  reconciler: Reconciler
  notes: Notes
  /** Throws where it is not configured. */
  brokerOf(name: BrokerName): Broker
  watchOf(name: BrokerName): VenueWatch | undefined
  today(): Today
  lastDecision(): DecisionRow | undefined
  startedMs: number
  /** True once a whole reconciliation has succeeded. */
  isReady(): boolean
  /** Throws `upstream_unavailable` until then. */
  checkReady(): void
  /** Throws until the ledger was read. */
  checkLoaded(): void
  /** Reconciles soon. */
  kick(): void
  start(): Promise<void>
  stop(): Promise<void>
  idle(): Promise<void>
}

export function createBotParts(ports: BotPorts): BotParts {
  const { clock, log, book } = ports
  const work = createWorkCount()
  const view = createLedgerView(book)
  const brokers = createBrokers(ports)
  const watches = createWatches(ports)
  const checkSwitch = createCheckSwitch({ ...ports, view })
  const config = createConfigKeeper({ clock, book, checkSwitch })
  const notes = createNotes(log)
  const differences = createDifferences()
  const missing = createMissingShares(clock)
  const onReset = () => {
    differences.forget()
    missing.forgetAll()
    notes.set('cash_left', undefined)
  }
  const breaker = createBreaker({ clock, log, book, view, onReset })
  const outcomes = createOutcomes({ clock, book, view })
  const desk = createDesk({ clock, log, book, view, outcomes, brokerOf: brokers.of })
  const day = createDayFigures(view)
  const takeLook = createTakeLook({ ...ports, config, breaker, view, day, watchOf: watches })
  const bossSignals = createBossSignals(book)
  const { steps, redeemer, resolutions } = createSteps(ports, {
    ...{ view, config, breaker, desk, outcomes, differences, missing, notes },
    findBroker: brokers.find,
    watchOf: watches,
    track: work.add,
  })
  const reconciler = createReconciler({ clock, log, steps })
  const isReady = () => reconciler.lastMs() !== undefined
  const pulse = createPulse(clock, reconciler.pass, work.add)
  const decisions = createLastDecision(book)
  const rounds = createRounds({
    ...{ clock, log, book, view, desk, bossSignals, takeLook, isReady },
    broker: config.broker,
    onDecision: decisions.put,
    track: work.add,
  })
  const hear = (market: FiveMinuteMarket) => {
    resolutions.hear(market)
    if (isReady()) pulse.kick()
  }
  return {
    ...{ view, config, breaker, desk, bossSignals, takeLook, redeemer, reconciler, notes, isReady },
    brokerOf: brokers.of,
    watchOf: watches,
    today: () => day(config.broker(), windowAt(clock.now()).startS),
    lastDecision: decisions.read,
    startedMs: clock.now(),
    kick: pulse.kick,
    ...createLife({ ...ports, ...{ config, view, breaker, decisions, pulse, rounds, work, isReady, hear } }),
  }
}

type Life = Pick<BotParts, 'start' | 'stop' | 'idle' | 'checkReady' | 'checkLoaded'>
type LifePorts = Pick<BotPorts, 'clock' | 'markets'> &
  Pick<BotParts, 'config' | 'view' | 'breaker' | 'isReady'> & {
    decisions: LastDecision
    pulse: Pulse
    rounds: Rounds
    work: WorkCount
    hear(market: FiveMinuteMarket): void
  }

function createLife(ports: LifePorts): Life {
  const { clock, config, view, breaker, pulse, rounds, work } = ports
  let isLoaded = false
  let stopHearing = () => {}
  return {
    async start() {
      const unreadable = await config.load()
      await view.load(clock.now())
      await breaker.load()
      await ports.decisions.load()
      isLoaded = true
      if (unreadable) await breaker.open(unreadable)
      stopHearing = ports.markets.onResolved(ports.hear)
      pulse.kick()
      rounds.start()
    },
    async stop() {
      stopHearing()
      rounds.stop()
      pulse.stop()
      await work.idle()
    },
    idle: work.idle,
    checkReady() {
      if (ports.isReady()) return
      throw new ServiceError('upstream_unavailable', 'the bot is still reconciling its ledger with the venue')
    },
    checkLoaded() {
      if (!isLoaded) throw new ServiceError('store_unavailable', 'the bot has not read its ledger yet')
    },
  }
}

type LastDecision = {
  load(): Promise<void>
  put(decision: DecisionRow): void
  read(): DecisionRow | undefined
}

function createLastDecision(book: BotPorts['book']): LastDecision {
  let last: DecisionRow | undefined
  return {
    async load() {
      ;[last] = await book.decisions({ limit: 1, offset: 0 })
    },
    put(decision) {
      last = decision
    },
    read: () => last,
  }
}

function createBrokers({ brokers, whyNoLive }: BotPorts) {
  const find = (name: BrokerName): Broker | undefined => brokers[name]
  const of = (name: BrokerName): Broker => {
    const broker = find(name)
    if (!broker) throw new ServiceError('conflict', whyNoLive)
    return broker
  }
  return { find, of }
}

function createWatches({ clock, brokers }: BotPorts): (name: BrokerName) => VenueWatch | undefined {
  const paper = createVenueWatch({ clock, broker: brokers.paper })
  const polymarket = brokers.polymarket && createVenueWatch({ clock, broker: brokers.polymarket })
  return (name) => (name === 'paper' ? paper : polymarket)
}
