import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { shorten } from '../../core/shorten.ts'
import { RISK_RATINGS } from '../../intel/tokens/token-analysis.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { WALLET_LOOKS } from '../look-limits.ts'
import {
  ActivityFields,
  ConcentrationFields,
  EtherFields,
  HoldingFields,
  SAMPLE_WALLET,
  TotalFields,
  WALLET_FRESH_MS,
  WalletAddress,
  WalletIdentity,
  WalletPartsFields,
  WalletScoreFields,
} from './fields.ts'
import { toPortfolio } from './replies.ts'
import type { WalletServices } from './services.ts'

export const walletPortfolio = defineEndpoint({
  id: 'wallet.portfolio',
  method: 'GET',
  path: '/wallet/{address}',
  access: paid(usd('0.01')),
  summary: 'Wallet on Base: holdings, activity and score',
  description:
    'What an address on Base holds and what that could be sold for: tokens without a price or a market, scams and spam airdrops count as nothing and say why. With age, activity, recent transfers, concentration, and a score of 0 to 100 that can be computed again from its components. Amounts are exact decimal texts. Every part says how old it is; unknown is null. An address that was never used is 404 before any payment.',
  brings: 'What the wallet holds and could sell it for, what it does, and a score with its parts.',
  params: z.object({ address: WalletAddress }),
  title: ({ address }) => `Wallet ${shorten(address)}`,
  sample: { address: SAMPLE_WALLET },
  response: z.object({
    timestamp: Timestamp.describe('Of the account and of the holdings, whichever is older'),
    source: Source,
    ...WalletIdentity.shape,
    totals: TotalFields,
    ether: EtherFields,
    holdings: z.array(HoldingFields).describe('The most valuable first'),
    holdings_count: z.int().min(0),
    holdings_left_out: z.int().min(0),
    holdings_complete: z.boolean().describe('False: it has more tokens than were looked at'),
    activity: ActivityFields,
    concentration: ConcentrationFields,
    score: WalletScoreFields,
    risk_rating: z.enum(RISK_RATINGS).describe('The scan of the same wallet says why'),
    parts: WalletPartsFields,
  }),
  freshForMs: WALLET_FRESH_MS,
  checkExists: ({ walletLookup }: WalletServices, { address }, mayLook) =>
    walletLookup.checkExists(address, mayLook),
  lookLimit: WALLET_LOOKS,
  changes: ({ wallets }: WalletServices, { address }) => wallets.state(address),
  handle: async ({ wallets, sourceOf }: WalletServices, { address }) => {
    const analysis = await wallets.analyse(address)
    return { timestamp: isoTime(analysis.asOfMs), ...toPortfolio(analysis, sourceOf) }
  },
})
