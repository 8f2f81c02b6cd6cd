import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { shorten } from '../../core/shorten.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { WALLET_LOOKS } from '../look-limits.ts'
import {
  ApprovalFields,
  CounterpartyFields,
  SAMPLE_WALLET,
  ScamHoldingFields,
  TotalFields,
  WALLET_FRESH_MS,
  WalletAddress,
  WalletIdentity,
  WalletPartsFields,
  WalletRiskFields,
  WalletScoreFields,
} from './fields.ts'
import { toScan } from './replies.ts'
import type { WalletServices } from './services.ts'

export const walletScan = defineEndpoint({
  id: 'wallet.scan',
  method: 'GET',
  path: '/wallet/{addr}/scan',
  access: paid(usd('0.01')),
  summary: 'Risk scan of a wallet on Base',
  description:
    'Who may take tokens out of an address on Base and what that is worth, whom it deals with (exchanges, reported addresses, makers of scam tokens, look-alikes), which scam tokens it has, and a risk rating of low, medium, high or critical with the evidence of each reason. Unknown never counts as safe. Without approvals 503 and no charge; an address that was never used is 404 before any payment.',
  brings:
    'Who may take tokens out of the wallet, whom it deals with, and how risky that is, with the evidence.',
  params: z.object({ addr: WalletAddress }),
  title: ({ addr }) => `Risk scan of ${shorten(addr)}`,
  sample: { addr: SAMPLE_WALLET },
  response: z.object({
    timestamp: Timestamp.describe('Of the account and of the holdings, whichever is older'),
    source: Source,
    ...WalletIdentity.shape,
    risk: WalletRiskFields,
    score: WalletScoreFields,
    totals: TotalFields,
    approvals: ApprovalFields,
    counterparties: CounterpartyFields.nullable().describe('Null where they could not be looked up'),
    scam_tokens: ScamHoldingFields,
    parts: WalletPartsFields,
  }),
  freshForMs: WALLET_FRESH_MS,
  checkExists: ({ walletLookup }: WalletServices, { addr }, mayLook) =>
    walletLookup.checkExists(addr, mayLook),
  lookLimit: WALLET_LOOKS,
  changes: ({ wallets }: WalletServices, { addr }) => wallets.state(addr),
  handle: async ({ wallets, sourceOf }: WalletServices, { addr }) => {
    const analysis = await wallets.analyse(addr)
    if (!analysis.approvals)
      throw new ServiceError(
        'upstream_unavailable',
        `the approvals of ${addr} could not be looked up right now; nothing was charged`,
      )
    return { timestamp: isoTime(analysis.asOfMs), ...toScan(analysis, analysis.approvals, sourceOf) }
  },
})
