import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { fromMillionths } from '../../../market/prediction/millionths.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import {
  Account,
  CoinName,
  ConditionId,
  Count,
  TransactionHash,
  toAccount,
  UsdAmount,
  WindowStart,
} from '../../fields.ts'
import { BROKER_SOURCE } from '../../sources.ts'
import type { AdminServices } from '../services.ts'

export const claimWins = defineEndpoint({
  id: 'admin.claim_wins',
  method: 'POST',
  path: '/admin/trading/claim-wins',
  access: operator('admin'),
  summary: 'Looks for uncollected wins and claims them',
  description:
    'Scans what the account holds on chain for shares of resolved markets, also ones that the ledger does not know, and turns those that won into dollars. Nothing is paid twice: call it as often as you like. What could not be claimed now is listed with the reason.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    ...Account.shape,
    scanned: Count.describe('Markets looked at'),
    claimed_usd: UsdAmount,
    claimed: z.array(
      z.object({
        condition_id: ConditionId,
        coin: CoinName.nullable(),
        window_start: WindowStart.nullable(),
        amount_usd: UsdAmount,
        transaction: TransactionHash.nullable(),
      }),
    ),
    pending: z.array(z.object({ condition_id: ConditionId, reason: z.string() })),
  }),
  caller: true,
  handle: async ({ bot, clock, sourceOf }: AdminServices, _, caller) => {
    const { broker, scanned, claimed, pending } = await bot.claimWins(caller.by)
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BROKER_SOURCE),
      ...toAccount(broker),
      scanned,
      claimed_usd: fromMillionths(claimed.reduce((sum, { amountE6 }) => sum + amountE6, 0n)),
      claimed: claimed.map((win) => ({
        condition_id: win.conditionId,
        coin: win.coin ?? null,
        window_start: win.windowStartS ?? null,
        amount_usd: fromMillionths(win.amountE6),
        transaction: win.transactionHash ?? null,
      })),
      pending: pending.map(({ conditionId, reason }) => ({ condition_id: conditionId, reason })),
    }
  },
})
