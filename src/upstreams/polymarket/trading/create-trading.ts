import type { Account } from './account.ts'
import type { Placement, Trading, TradingInput } from './trading.ts'
import { TradingError } from './trading-error.ts'

/** The official client is loaded by the first call, so that a service that does not trade never does. */
export function createTrading(input: TradingInput): Trading {
  let opened: Promise<Account> | undefined
  const open = () => {
    opened ??= import('./account.ts').then(({ openAccount }) => openAccount(input))
    const mine = opened
    const forget = () => {
      if (opened === mine) opened = undefined
    }
    mine.catch(forget)
    return { account: mine, forget }
  }
  /**
   * A key that is no longer taken, or a clock that ran away: who is locked out was not heard, so that everything may be
   * asked once more with a new key and the venue's time.
   */
  const withAccount = async <T>(work: (account: Account) => Promise<T>): Promise<T> => {
    const first = open()
    const account = await first.account
    try {
      return await work(account)
    } catch (error) {
      if (!isLockedOut(error)) throw error
      first.forget()
    }
    const second = open()
    try {
      return await work(await second.account)
    } catch (error) {
      if (isLockedOut(error)) second.forget()
      throw error
    }
  }
  return {
    connect: () => withAccount((account) => account.connect()),
    async orderIdOf(order) {
      const { orderIdOf } = await import('./to-exchange-order.ts')
      return orderIdOf(order, input.depositWallet)
    },
    async place(order) {
      let refused: Placement | undefined
      try {
        return await withAccount(async (account) => {
          const placed = await account.place(order)
          if (placed.state !== 'refused' || placed.fault !== 'unauthorized') return placed
          refused = placed
          throw new TradingError('unauthorized', placed.reason)
        })
      } catch (error) {
        // The second try was refused as well, or could not be made.
        if (refused && error instanceof TradingError) return refused
        throw error
      }
    },
    cancel: (orderId) => withAccount((account) => account.cancel(orderId)),
    order: (orderId) => withAccount((account) => account.order(orderId)),
    openOrders: () => withAccount((account) => account.openOrders()),
    trades: (sinceMs, conditionId) => withAccount((account) => account.trades(sinceMs, conditionId)),
    balance: () => withAccount((account) => account.balance()),
    sharesE6: (tokenId) => withAccount((account) => account.sharesE6(tokenId)),
    serverTimeMs: () => withAccount((account) => account.serverTimeMs()),
  }
}

const isLockedOut = (error: unknown) => error instanceof TradingError && error.fault === 'unauthorized'
