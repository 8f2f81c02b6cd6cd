import { isFinal, sharesHeld, sumFills } from '../../bot/account/fills.ts'
import type { Bot, BotStatus } from '../../bot/bot.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { BotBook, BrokerName, DecisionRow, OrderRow } from '../../ledger/ports/bot-book.ts'
import { type PublicState, toPublicState } from './public-state.ts'

/**
 * The bot as everybody may see it. What it does in the open window is what is sold: nothing here changes with a decision,
 * an order or a fill until its window has closed.
 */
export type PublicBot = {
  status(): Pick<BotStatus, 'broker' | 'config' | 'breaker' | 'startedMs' | 'lastReconciledMs'> & {
    state: PublicState
  }
  /** The newest one whose window has closed. */
  lastDecision(): Promise<DecisionRow | undefined>
  /** Cash of the account it trades with now, with what is not settled at its cost and what was won at its worth. */
  wallet(): Promise<Wallet>
  /** Positions of windows that have closed and are not resolved yet. */
  countUnresolved(): Promise<number>
}
export type Wallet = { broker: BrokerName; amountE6: bigint }

type Ports = {
  clock: Clock
  bot: { status(): ToldStatus } & Pick<Bot, 'balance'>
  book: Pick<BotBook, 'decisions' | 'unsettledOrders' | 'unredeemed'>
}
/** What of it is told, or asked for by health. */
export type ToldStatus = Pick<
  BotStatus,
  'state' | 'broker' | 'config' | 'breaker' | 'startedMs' | 'lastReconciledMs'
>

/** More than four coins decide in one window, each up to three times. */
const DECISIONS_READ = 16

export function createPublicBot({ clock, bot, book }: Ports): PublicBot {
  const isClosed = ({ windowStartS }: { windowStartS: number }) =>
    (windowStartS + WINDOW_S) * SECOND_MS <= clock.now()
  let lastWallet: Wallet | undefined
  return {
    status() {
      const { state, broker, config, breaker, startedMs, lastReconciledMs } = bot.status()
      return { state: toPublicState(state), broker, config, breaker, startedMs, lastReconciledMs }
    },
    lastDecision: oncePerWindow(clock, async () =>
      (await book.decisions({ limit: DECISIONS_READ, offset: 0 })).find(isClosed),
    ),
    wallet: oncePerWindow(
      clock,
      async () => {
        const read = await readWallet({ bot, book })
        // In the middle of an order ledger and cash differ by it: the one of a window before is told then.
        if (read.isSure || lastWallet?.broker !== read.wallet.broker) lastWallet = sure(read)
        return lastWallet
      },
      () => bot.status().broker,
    ),
    async countUnresolved() {
      const { broker } = bot.status()
      const held = (await book.unsettledOrders()).filter(
        (order) => order.broker === broker && isClosed(order),
      )
      return [...Map.groupBy(held, ({ tokenId }) => tokenId).values()].filter((own) => sharesHeld(own) > 0n)
        .length
    },
  }
}

type Read = { wallet: Wallet; isSure: boolean }

async function readWallet({ bot, book }: Pick<Ports, 'bot' | 'book'>): Promise<Read> {
  const chosen = bot.status().broker
  const before = await readInside(book, chosen)
  const { broker, cashE6 } = await bot.balance()
  const after = await readInside(book, chosen)
  return {
    wallet: { broker, amountE6: cashE6 + after.spentE6 + after.wonE6 },
    isSure:
      broker === chosen && after.isFinal && before.spentE6 === after.spentE6 && before.wonE6 === after.wonE6,
  }
}

function sure({ wallet, isSure }: Read): Wallet {
  if (isSure) return wallet
  throw new ServiceError('upstream_unavailable', 'the account is being compared with the ledger')
}

/** What is in markets and not in cash. */
async function readInside(book: Pick<BotBook, 'unsettledOrders' | 'unredeemed'>, broker: BrokerName) {
  const orders = (await book.unsettledOrders()).filter((order) => order.broker === broker)
  const won = await book.unredeemed(broker)
  return {
    spentE6: spentOn(orders),
    // A winning share pays a dollar.
    wonE6: won.reduce((sum, { sharesE6 }) => sum + sharesE6, 0n),
    isFinal: orders.every(isFinal),
  }
}

/** Paid less received, fees in it. */
function spentOn(orders: readonly OrderRow[]): bigint {
  const bought = sumFills(orders.filter(({ side }) => side === 'BUY'))
  const sold = sumFills(orders.filter(({ side }) => side === 'SELL'))
  return bought.notionalE6 + bought.feeE6 - (sold.notionalE6 - sold.feeE6)
}

/** Read once in a window, whoever asks, and again where what it is of has changed; what failed is read again. */
function oncePerWindow<T>(clock: Clock, read: () => Promise<T>, of = () => ''): () => Promise<T> {
  let last: { key: string; value: Promise<T> } | undefined
  return () => {
    const key = `${windowAt(clock.now()).startS} ${of()}`
    if (last?.key === key) return last.value
    const made = { key, value: read() }
    made.value.catch(() => {
      if (last === made) last = undefined
    })
    last = made
    return made.value
  }
}
