import { windowAt } from '../core/time/window.ts'
import type { BrokerName } from '../ledger/ports/bot-book.ts'
import { openPositions } from './account/positions.ts'
import type { Bot } from './bot.ts'
import { type BotParts, createBotParts } from './bot-parts.ts'
import { lateNotes, stateOf } from './bot-status.ts'
import { createBuy } from './hand/buy.ts'
import { checkBroker } from './hand/check-broker.ts'
import { createClaimWins } from './hand/claim-wins.ts'
import { createSales } from './hand/sell.ts'
import { noBroker } from './no-broker.ts'
import type { BotPorts } from './ports.ts'

export type RunningBot = Bot & {
  /** Reads the ledger, then reconciles with the venue and trades by itself. Rejects where the ledger cannot be read. */
  start(): Promise<void>
  /** Begins nothing new; resolves when what was under way is over. */
  stop(): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

/** The operator's bot: rounds that decide and buy, a desk that places, and passes that reconcile with the venue. */
export function createBot(ports: BotPorts): RunningBot {
  const parts = createBotParts(ports)
  const { config, breaker } = parts
  return {
    start: parts.start,
    stop: parts.stop,
    idle: parts.idle,
    ...createActs(ports, parts),
    status: () => statusOf(ports, parts),
    config: config.read,
    configHistory: config.history,
    async updateConfig(change, by, madeOf) {
      parts.checkLoaded()
      // Between two decisions: none is made with one broker and carried out after the switch to the other.
      const next = await parts.desk.alone(() => config.change(change, by, madeOf))
      parts.kick()
      return next
    },
    async resetBreaker(by) {
      parts.checkLoaded()
      await breaker.reset(by)
      return breaker.read(config.broker())
    },
    breakerHistory: (limit) => ports.book.breakerRows(limit),
  }
}

type Acts = 'bossSignal' | 'buy' | 'sellOpenWindow' | 'close' | 'claimWins' | 'positions' | 'balance'

function createActs(ports: BotPorts, parts: BotParts): Pick<Bot, Acts> {
  const { clock, book, markets } = ports
  const broker = () => parts.config.broker()
  const { checkReady, brokerOf } = parts
  const buy = createBuy({ ...parts, clock, book })
  const sales = createSales({ ...parts, clock, log: ports.log, markets, broker, brokerOf })
  const claimWins = createClaimWins({ ...parts, clock, book, broker, brokerOf })
  const whenReady =
    <Given extends unknown[], Result>(act: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      checkReady()
      return act(...given)
    }
  return {
    async bossSignal({ direction, coin, reason, broker: meant }, by) {
      parts.checkLoaded()
      checkBroker(meant, broker())
      const atMs = clock.now()
      return parts.bossSignals.add({ direction, coin, reason, by, atMs, windowStartS: windowAt(atMs).endS })
    },
    buy: whenReady(buy),
    sellOpenWindow: whenReady(sales.sellOpenWindow),
    close: whenReady(sales.close),
    claimWins: whenReady(claimWins),
    async positions() {
      parts.checkLoaded()
      return openPositions({ book, view: parts.view, markets })
    },
    async balance() {
      const name: BrokerName = broker()
      return { broker: name, cashE6: await brokerOf(name).cashE6(), asOfMs: clock.now() }
    },
  }
}

function statusOf(ports: BotPorts, parts: BotParts): ReturnType<Bot['status']> {
  const { config: keeper, view, breaker: breakers, reconciler } = parts
  const broker = keeper.broker()
  const config = keeper.read()
  const breaker = breakers.read(broker)
  const obstacles = parts.watchOf(broker)?.obstacles() ?? noBroker(ports)
  const today = parts.today()
  const facts = {
    isReady: parts.isReady(),
    fault: reconciler.fault(),
    breaker,
    obstacles,
    config: config.config,
    today,
  }
  return {
    ...stateOf(facts),
    broker,
    config,
    breaker,
    today,
    obstacles,
    notes: [...parts.notes.list(), ...lateNotes(reconciler, ports.clock.now())],
    lastDecision: parts.lastDecision(),
    lastReconciledMs: reconciler.lastMs(),
    openOrders: view.orders().filter(({ state }) => state === 'open').length,
    startedMs: parts.startedMs,
  }
}
