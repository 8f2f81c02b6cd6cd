import type { Placement, Trading, TradingInput } from './trading.ts'
import { TradingError } from './trading-error.ts'

/** The official client is loaded by the first call, so that a service that does not trade never does. */
export function createTrading(input: TradingInput): Trading {
  let opened: Promise<Trading> | undefined
  const withAccount = async <T>(
    work: (account: Trading) => Promise<T>,
    isLockedOut = (_result: T) => false,
  ): Promise<T> => {
    opened ??= import('./account.ts').then(({ openAccount }) => openAccount(input))
    const mine = opened
    // A key that is no longer taken, or a clock that ran away: the next call connects anew.
    const forget = () => {
      if (opened === mine) opened = undefined
    }
    mine.catch(forget)
    try {
      const result = await work(await mine)
      if (isLockedOut(result)) forget()
      return result
    } catch (error) {
      if (error instanceof TradingError && error.fault === 'unauthorized') forget()
      throw error
    }
  }
  return {
    connect: () => withAccount((account) => account.connect()),
    place: (order) => withAccount((account) => account.place(order), isUnauthorized),
    cancel: (orderId) => withAccount((account) => account.cancel(orderId)),
    order: (orderId) => withAccount((account) => account.order(orderId)),
    openOrders: () => withAccount((account) => account.openOrders()),
    trades: (sinceMs) => withAccount((account) => account.trades(sinceMs)),
    balance: () => withAccount((account) => account.balance()),
    sharesE6: (tokenId) => withAccount((account) => account.sharesE6(tokenId)),
    serverTimeMs: () => withAccount((account) => account.serverTimeMs()),
  }
}

const isUnauthorized = (placed: Placement) => placed.state === 'refused' && placed.fault === 'unauthorized'
