import type { Bot, OpenPosition } from '../../bot/bot.ts'
import { DEFAULT_CONFIG, type TradingConfig, type VersionedConfig } from '../../bot/trading-config.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { BreakerRow, BrokerName } from '../../ledger/ports/bot-book.ts'
import { createHandMadeOrders, UP_TOKEN } from './hand-made-orders.ts'

export type HandMadeBot = Bot & {
  /** What was asked for, in order. */
  acts: unknown[]
  /** What a test replaces between calls. */
  made: {
    isSim: boolean
    cashE6: bigint
    positions: OpenPosition[]
    unsold: { tokenId: string; reason: string }[]
    /** Thrown by every act and every question to the broker while it is there. */
    fault: ServiceError | undefined
  }
}

/** A bot whose orders fill at once and whole at 50 cents. Its state is in memory, and a test may change it. */
export function createHandMadeBot(clock: Clock): HandMadeBot {
  const acts: unknown[] = []
  const made: HandMadeBot['made'] = {
    isSim: true,
    cashE6: 1_000_000_000n,
    positions: [],
    unsold: [],
    fault: undefined,
  }
  const note = (act: unknown) => {
    if (made.fault) throw made.fault
    acts.push(act)
  }
  const broker = () => (made.isSim ? 'paper' : 'polymarket')
  const configs = createConfigs(clock)
  const breaker = createBreaker(clock)
  const orders = createHandMadeOrders(clock, broker)
  return {
    acts,
    made,
    ...configs,
    updateConfig: async (change, by, madeOf) => {
      note({ act: 'updateConfig', change, by, madeOf })
      return configs.updateConfig(change, by)
    },
    status: () => ({
      state: breaker.now().isOpen ? 'stopped' : configs.config().config.enabled ? 'running' : 'paused',
      why: undefined,
      broker: broker(),
      config: configs.config(),
      breaker: breaker.now(),
      today: { broker: broker(), trades: 2, profitE6: -1_250_000n, atRiskE6: 5_175_000n },
      obstacles: [{ code: 'no_credentials', text: 'set the key of the venue' }],
      notes: [{ code: 'surplus_shares', text: 'somebody sent shares' }],
      lastDecision: undefined,
      lastReconciledMs: undefined,
      openOrders: 0,
      startedMs: clock.now(),
    }),
    async resetBreaker(by) {
      note({ act: 'resetBreaker', by })
      return breaker.reset(by)
    },
    breakerHistory: async (limit) => breaker.rows.slice(0, limit),
    async bossSignal(input, by) {
      note({ act: 'bossSignal', ...input, by })
      const windowStartS = windowAt(clock.now()).startS + WINDOW_S
      return { seq: 1, atMs: clock.now(), by, ...input, windowStartS, usedMs: undefined }
    },
    async buy(input) {
      note({ act: 'buy', ...input })
      return orders.buy(input)
    },
    async sellOpenWindow(coin, by) {
      note({ act: 'sellOpenWindow', coin, by })
      const { startS } = windowAt(clock.now())
      const held = made.positions.filter((each) => each.coin === coin && each.windowStartS === startS)
      return { sold: held.map((each) => orders.sell(each, { ...each, by })), failed: made.unsold }
    },
    async close(input) {
      note({ act: 'close', ...input })
      const held = made.positions.find(({ tokenId }) => tokenId === input.tokenId)
      if (!held) throw new ServiceError('not_found', 'no shares of that token are held')
      if (input.sharesE6 > held.sharesE6) throw new ServiceError('conflict', 'more than are held')
      return orders.sell(held, input)
    },
    async claimWins(by) {
      note({ act: 'claimWins', by })
      return { broker: broker(), ...CLAIMED }
    },
    ...createAccount(clock, made, broker),
  }
}

type Made = HandMadeBot['made']
function createAccount(
  clock: Clock,
  made: Made,
  broker: () => BrokerName,
): Pick<Bot, 'positions' | 'balance'> {
  return {
    async positions() {
      if (made.fault) throw made.fault
      return made.positions
    },
    async balance() {
      if (made.fault) throw made.fault
      return { broker: broker(), cashE6: made.cashE6, asOfMs: clock.now() - 500 }
    },
  }
}

const win = {
  conditionId: `0x${'c0'.repeat(32)}`,
  coin: undefined,
  windowStartS: undefined,
  transactionHash: '0x5e',
}
const CLAIMED = {
  scanned: 2,
  claimed: [
    { ...win, amountE6: 10_000_000n },
    { ...win, coin: 'ETH' as const, amountE6: 500_001n },
  ],
  pending: [{ conditionId: `0x${'d0'.repeat(32)}`, reason: 'the relayer does not answer' }],
}

function createConfigs(clock: Clock) {
  const versions: VersionedConfig[] = [
    { version: 0, atMs: clock.now(), by: 'default', config: DEFAULT_CONFIG },
  ]
  const newest = () => versions.at(-1) as VersionedConfig
  return {
    config: newest,
    configHistory: async (limit: number) => versions.toReversed().slice(0, limit),
    async updateConfig(change: Parameters<Bot['updateConfig']>[0], by: string) {
      if (change.simMode === false)
        throw new ServiceError('conflict', 'live trading is not configured: set the key of the venue')
      const { config, version } = newest()
      const contrarian = { ...config.contrarian, ...change.contrarian }
      const merged = { ...config, ...change, contrarian } as TradingConfig
      versions.push({ version: version + 1, atMs: clock.now(), by, config: merged })
      return newest()
    },
  }
}

function createBreaker(clock: Clock) {
  let losses = 3
  const rows: BreakerRow[] = [
    { seq: 1, atMs: clock.now(), kind: 'opened', reason: 'consecutive_losses', by: 'bot' },
  ]
  const now = () => ({
    isOpen: rows[0]?.kind === 'opened',
    reason: rows[0]?.reason,
    sinceMs: rows[0]?.atMs,
    consecutiveLosses: losses,
  })
  return {
    rows,
    now,
    reset(by: string) {
      losses = 0
      rows.unshift({ seq: rows.length + 1, atMs: clock.now(), kind: 'reset', reason: 'by hand', by })
      return now()
    },
  }
}

export function heldBy(clock: Clock, more: Partial<OpenPosition> = {}): OpenPosition {
  return {
    broker: 'paper',
    coin: 'BTC',
    windowStartS: windowAt(clock.now()).startS,
    conditionId: `0x${'c0'.repeat(32)}`,
    tokenId: UP_TOKEN,
    outcome: 'UP',
    sharesE6: 10_000_000n,
    costE6: 5_175_000n,
    bid: 0.6,
    valueE6: 6_000_000n,
    openedMs: clock.now(),
    resolvedAs: undefined,
    ...more,
  }
}
