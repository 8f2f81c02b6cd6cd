import type { Store } from '../../../ledger/ports/store.ts'
import { sampleDecision, sampleFill, sampleOrder, sampleTrade } from './sample-order.ts'

/** Everything that can be written, written once. */
export async function fillBotBooks({ bot, paper }: Pick<Store, 'bot' | 'paper'>): Promise<void> {
  const market = { broker: 'paper', conditionId: 'market 1' } as const
  const boss = {
    atMs: 1,
    by: 'k',
    direction: 'UP',
    coin: 'BTC',
    reason: undefined,
    windowStartS: 300,
  } as const
  const { seq } = await bot.addBossSignal(boss)
  await bot.planOrder(sampleOrder('a'), { decision: sampleDecision(), bossSignal: seq })
  await bot.planOrder(sampleOrder('open'), {})
  await bot.nameOrder('a', '0xa')
  await bot.putFills('a', [
    sampleFill('done', { state: 'confirmed', transactionHash: '0x1' }),
    sampleFill('failed', { state: 'failed' }),
    sampleFill('matched'),
  ])
  await bot.noteAccepted('a', 1_500)
  await bot.closeOrder('a', 2_000, 'why')
  await bot.addResolution({
    coin: 'BTC',
    windowStartS: 300,
    conditionId: 'market 1',
    outcome: 'UP',
    payoutUpE6: 1_000_000n,
    atMs: 3,
  })
  await bot.settle(sampleTrade())
  await bot.redeemed({ ...market, sharesE6: 1n, amountE6: 1n, transactionHash: '0x2', atMs: 4 })
  await bot.addConfig({ version: 1, atMs: 1, by: 'k', text: '{}' })
  await bot.addBreaker({ atMs: 1, kind: 'opened', reason: 'loss', by: 'bot' })
  const token = { conditionId: 'market 1', tokenId: '11', atMs: 1 }
  const fills = [sampleFill('t', { state: 'confirmed' })]
  await paper.add({ ...token, clientOrderId: 'a', orderId: 'p', side: 'BUY', fills })
  await paper.pay({ ...token, sharesE6: 1n, amountE6: 1n })
}

/** All but those that triggers keep. */
export const BOT_TABLES = [
  ...['bot_orders', 'bot_fills', 'bot_resolutions', 'bot_trades', 'bot_redemptions', 'bot_decisions'],
  ...['bot_configs', 'bot_breaker', 'bot_boss_signals', 'paper_orders', 'paper_fills', 'paper_payouts'],
]

/** What no code may do to books that are filled as above, whatever the database. */
export const REFUSED = [
  "UPDATE bot_orders SET state = 'open', closed_ms = NULL, note = NULL WHERE client_order_id = 'a'",
  "UPDATE bot_orders SET note = 'other' WHERE client_order_id = 'a'",
  "UPDATE bot_orders SET closed_ms = 1 WHERE client_order_id = 'a'",
  "UPDATE bot_orders SET order_id = '0xb' WHERE client_order_id = 'a'",
  "UPDATE bot_orders SET order_id = NULL WHERE client_order_id = 'a'",
  'UPDATE bot_orders SET accepted_ms = 1',
  'UPDATE bot_orders SET spend_e6 = spend_e6 + 1',
  'UPDATE bot_orders SET price_e4 = 9999',
  "UPDATE bot_orders SET token_id = '12'",
  "UPDATE bot_orders SET client_order_id = 'b' WHERE client_order_id = 'a'",
  "UPDATE bot_orders SET note = 'why' WHERE client_order_id = 'open'",
  "UPDATE bot_orders SET state = 'closed' WHERE client_order_id = 'open'",
  "UPDATE bot_orders SET order_id = '0xa' WHERE client_order_id = 'open'",
  "UPDATE bot_fills SET state = 'matched' WHERE trade_id = 'done'",
  "UPDATE bot_fills SET state = 'failed' WHERE trade_id = 'done'",
  "UPDATE bot_fills SET state = 'confirmed' WHERE trade_id = 'failed'",
  "UPDATE bot_fills SET transaction_hash = '0x9' WHERE trade_id = 'done'",
  "UPDATE bot_fills SET shares_e6 = 1 WHERE trade_id = 'matched'",
  "UPDATE bot_fills SET fee_e6 = 0 WHERE trade_id = 'matched'",
  "UPDATE bot_trades SET outcome = 'DOWN'",
  'UPDATE bot_trades SET resolved_ms = 1',
  'UPDATE bot_trades SET profit_e6 = profit_e6 + 1',
  "UPDATE bot_redemptions SET state = 'planned', amount_e6 = 0, transaction_hash = NULL",
  'UPDATE bot_redemptions SET amount_e6 = 0',
  "UPDATE bot_redemptions SET transaction_hash = '0x3'",
  "UPDATE bot_resolutions SET outcome = 'DOWN'",
  "UPDATE bot_decisions SET reason = 'other'",
  'UPDATE bot_configs SET text = \'{"a":1}\'',
  "INSERT INTO bot_configs VALUES (3, 1, 'k', '{}')",
  "UPDATE bot_breaker SET kind = 'reset'",
  'UPDATE bot_boss_signals SET used_ms = NULL',
  "UPDATE bot_boss_signals SET direction = 'DOWN'",
  "UPDATE paper_orders SET side = 'SELL'",
  'UPDATE paper_fills SET fee_e6 = 0',
  'UPDATE paper_payouts SET amount_e6 = 2',
  'UPDATE paper_holdings SET shares_e6 = -1',
  "INSERT INTO bot_fills (order_seq, trade_id, state, price_e6, shares_e6, notional_e6, fee_e6, at_ms) VALUES (99, 't', 'matched', 1, 1, 1, 0, 1)",
  ...BOT_TABLES.map((table) => `DELETE FROM ${table}`),
]
