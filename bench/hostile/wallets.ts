import { makePayers, type Payer } from '../payments/payers.ts'

export type Wallets = {
  honest: Payer
  /** Each buys once: afterwards it is known. */
  newcomers: readonly Payer[]
  thin: readonly Payer[]
  empty: readonly Payer[]
}

/** Of the attackers' wallets so many hold the price of one call, the others nothing. */
const THIN = 20
/** One a second, in every phase. */
const NEWCOMERS = 200

export function makeWallets(hostile: number): Wallets {
  const [honest] = makePayers('honest', 1)
  if (!honest) throw new Error('nobody is honest')
  const thin = makePayers('thin', Math.min(THIN, hostile))
  return {
    honest,
    newcomers: makePayers('newcomer', NEWCOMERS),
    thin,
    empty: makePayers('empty', Math.max(1, hostile - thin.length)),
  }
}
