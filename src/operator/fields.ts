import { z } from 'zod'
import { COINS } from '../core/coin.ts'
import type { BrokerName } from '../ledger/ports/bot-book.ts'
import { fromMillionths } from '../market/prediction/millionths.ts'
import { isoTime, WindowEdge } from '../products/fields.ts'

export const CoinName = z.enum(COINS)
export const Side = z.enum(['UP', 'DOWN'])
export const Broker = z
  .enum(['paper', 'polymarket'])
  .describe(
    'paper: simulated money; polymarket: the account at the venue, which is real money in live mode and simulated in the sandbox',
  )

/** Whose money a figure is of. Simulated money and real money never stand in one figure. */
export const Account = z.object({
  broker: Broker,
  sim: z.boolean().describe('True: simulated money of the paper broker'),
})
export const toAccount = (broker: BrokerName): z.input<typeof Account> => ({
  broker,
  sim: broker === 'paper',
})

export const UsdAmount = z.number().min(0).describe('Dollars, six decimals at most')
export const Profit = z.number().describe('Dollars, six decimals at most; a loss is negative')
export const Shares = z.number().min(0).describe('Six decimals at most')
export const Price = z.number().min(0).max(1)
export const Count = z.int().min(0)
export const WindowStart = WindowEdge.describe('Epoch second at which the window opens')

const HEX = /^0x[0-9a-f]+$/
export const ConditionId = z.string().length(66).regex(HEX)
export const TransactionHash = z.string().regex(HEX)
export const TokenId = z.string().regex(/^\d+$/)

export const OptionalTime = z.iso.datetime().nullable()
export const toOptionalTime = (ms: number | undefined): string | null =>
  ms === undefined ? null : isoTime(ms)

export const toOptionalAmount = (amount: bigint | undefined): number | null =>
  amount === undefined ? null : fromMillionths(amount)

const E4 = 10_000
/** A price of an order, from ten-thousandths. */
export const fromE4 = (price: number): number => price / E4
