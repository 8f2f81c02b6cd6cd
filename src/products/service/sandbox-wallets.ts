import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import type { ServiceServices } from './services.ts'

const wallet = {
  address: z.string().min(1),
  rpc_url: z.url(),
  usdc: z.string().min(1).describe('Address of the token'),
}

export const sandboxWallets = defineEndpoint({
  id: 'sandbox.wallets',
  method: 'GET',
  path: '/sandbox/wallets',
  access: free,
  onlyWith: 'playMoney',
  // Play money is free to make, but every pair costs the chains a few transactions.
  limit: { name: 'sandbox-wallets', calls: 300, windowS: 60 },
  summary: 'Throw-away wallets with play money',
  description:
    'A fresh pair of funded test keys at each call, so that any x402 client can be tried at once, and on Base the sign-in for holders too. They are worth nothing outside this service.',
  params: z.object({}),
  sample: {},
  response: z.object({
    evm: z
      .object({
        private_key: z.string().min(1),
        ...wallet,
        project_token: z.string().min(1).describe('Address of the token that opens sign-in for holders'),
        project_tokens: z.number().min(0).describe('Whole project tokens that the wallet was given'),
      })
      .optional(),
    solana: z.object({ secret_key: z.string().min(1), ...wallet }).optional(),
  }),
  example: {
    evm: {
      private_key: `0x${'0'.repeat(64)}`,
      address: `0x${'0'.repeat(40)}`,
      rpc_url: 'http://127.0.0.1:8545',
      usdc: EVM_USDC,
      project_token: `0x${'b3'.repeat(20)}`,
      project_tokens: 100,
    },
  },
  handle: ({ wallets }: ServiceServices) => {
    if (!wallets) throw new ServiceError('not_found', 'there is no play money here')
    return wallets()
  },
})
