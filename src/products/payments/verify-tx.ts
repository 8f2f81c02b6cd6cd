import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { fillPath } from '../../catalog/path.ts'
import { price } from '../market/price.ts'
import type { PaymentServices } from './services.ts'

/** Addresses longer than this are refused everywhere. */
const ENDPOINT_LIMIT = 2_048
/** Smart wallets sign at length, the more so while they are not deployed yet. */
const SIGNATURE_LIMIT = 16_386

const VerifyTxRequest = z.object({
  tx_hash: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .describe('Transaction that holds your USDC transfer of at least 0.10 on Base'),
  endpoint: z
    .string()
    .max(ENDPOINT_LIMIT)
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path and query of this service, beginning with /')
    .describe('Path and query of a paid product costing at most 0.10'),
  wallet: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
    .describe('The wallet that sent the transfer'),
  signature: z
    .string()
    .max(SIGNATURE_LIMIT)
    .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and hex digits')
    .describe(
      "That wallet's EIP-191 signature over three lines: Tollbook verify-tx, tx_hash in lower case, endpoint",
    ),
})

export const verifyTx = defineEndpoint({
  id: 'payments.verify_tx',
  method: 'POST',
  paramsIn: 'body',
  path: '/api/verify-tx',
  access: free,
  summary: 'Trades a USDC transfer for the data of one product',
  description:
    'For wallets that can transfer but not sign x402: send at least 0.10 USDC on Base to the operator, wait for two blocks, then claim one call of a product costing at most 0.10 within the hour. Claimed again for the same endpoint within 24 hours, the reply is the same.',
  params: VerifyTxRequest,
  sample: {
    tx_hash: `0x${'5e'.repeat(32)}`,
    endpoint: fillPath(price.path, price.sample),
    wallet: '0x00000000000000000000000000000000000000b2',
    signature: `0x${'1b'.repeat(65)}`,
  },
  placeholders: {
    values: { tx_hash: 'TX_HASH', wallet: 'WALLET', signature: 'SIGNATURE' },
    from: 'Put the hash of your transfer in place of `TX_HASH`, its sender in place of `WALLET`, and the signature of that wallet in place of `SIGNATURE`.',
  },
  response: z
    .record(z.string(), z.unknown())
    .describe('The data of the unlocked product, as that product replies'),
  caller: true,
  handle: async ({ payments }: PaymentServices, { tx_hash, endpoint, wallet, signature }, { client }) => {
    const { text } = await payments.claimTransfer({ txHash: tx_hash, endpoint, wallet, signature, client })
    return JSON.parse(text)
  },
})
