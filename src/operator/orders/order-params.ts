import { z } from 'zod'
import { CONFIG_BOUNDS } from '../../bot/trading-config.ts'
import { toUsdNumber } from '../../core/money.ts'
import type { Direction } from '../../signals/signal.ts'
import { Broker } from '../fields.ts'

const CENT = 0.01
const CENT_E6 = 10_000n
const CENTS_PER_USD = 100
const { min, max } = CONFIG_BOUNDS.sizeUsd

/** Dollars that are whole cents: the venue takes no finer ones. */
export const wholeCents = (minUsd: number, maxUsd: number) =>
  z.number().min(minUsd).max(maxUsd).multipleOf(CENT, 'must be whole cents, such as 2.50')

export const SizeUsd = wholeCents(toUsdNumber(min), toUsdNumber(max))

/** Exact: what comes in is whole cents. */
export const centsToE6 = (amountUsd: number): bigint =>
  BigInt(Math.round(amountUsd * CENTS_PER_USD)) * CENT_E6

export const YesOrNo = z.enum(['YES', 'NO'])
export const outcomeOf = (side: z.infer<typeof YesOrNo>): Direction => (side === 'YES' ? 'UP' : 'DOWN')

export const MeantBroker = Broker.optional().describe(
  'The account that you mean. 409, and nothing is done, where another one is in use; left out: whichever is in use',
)

export const ClientOrderId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, underscores, colons or hyphens')
  .describe('Your own id of the order. The same one twice is one order')
