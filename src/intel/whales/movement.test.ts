import { describe, expect, it } from 'vitest'
import { toMovement, ZERO_ADDRESS } from './movement.ts'

const EXCHANGES: Readonly<Record<string, string>> = { b1: 'Binance', b2: 'Binance', k1: 'Kraken' }
const move = (nets: Readonly<Record<string, number>>) =>
  toMovement(new Map(Object.entries(nets).map(([who, net]) => [who, BigInt(net)])), (who) => EXCHANGES[who])

describe('what a transaction moved', () => {
  it.each([
    ['unlabelled', { a: -10, b: 10 }, [0n, 0n]],
    ['to_exchange', { a: -10, b1: 10 }, [10n, 0n]],
    ['from_exchange', { k1: -10, a: 10 }, [0n, 10n]],
    ['between_exchanges', { b1: -10, k1: 10 }, [10n, 10n]],
    ['internal', { b1: -10, b2: 10 }, [0n, 0n]],
    ['mint', { [ZERO_ADDRESS]: -10, b1: 10 }, [10n, 0n]],
    ['burn', { a: -10, [ZERO_ADDRESS]: 10 }, [0n, 0n]],
  ] as const)('%s', (kind, nets, [intoExchanges, outOfExchanges]) => {
    expect(move(nets)).toMatchObject({ kind, amount: 10n, intoExchanges, outOfExchanges })
  })

  it('names those that gave and got most', () => {
    expect(move({ a: -7, b: -3, c: 4, d: 6 })).toMatchObject({ from: 'a', to: 'd', amount: 10n })
  })

  it('counts an exchange as a whole: what it moves between its wallets is nothing', () => {
    expect(move({ b1: -10, b2: 4, a: 6 })).toMatchObject({ intoExchanges: 0n, outOfExchanges: 6n })
  })

  it('is nothing where all comes back', () => {
    expect(move({ lender: 0, borrower: 0 })).toBeUndefined()
    expect(move({})).toBeUndefined()
  })
})
