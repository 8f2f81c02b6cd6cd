import type { PlannedOrder } from '../../ledger/ports/bot-book.ts'

/** A purchase of five dollars at half a dollar, made up. */
export const plannedOrder = (rest: Partial<PlannedOrder> = {}): PlannedOrder => ({
  ...{ clientOrderId: 'a', broker: 'polymarket', origin: 'round', by: 'bot', coin: 'BTC' },
  ...{ windowStartS: 1_767_614_400, conditionId: `0x${'11'.repeat(32)}`, tokenId: '123', outcome: 'UP' },
  ...{ side: 'BUY', priceE4: 5_000, tickE4: 100, spendE6: 5_000_000n, sharesE6: undefined, maxFeeE6: 0n },
  ...{ fee: { rate: 0.07, exponent: 1 }, createdMs: 1_767_614_400_000 },
  ...rest,
})
