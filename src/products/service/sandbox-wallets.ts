import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
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
        private_key: z
          .string()
          .length(66)
          .regex(/^0x[0-9a-f]+$/),
        ...wallet,
        project_token: z.string().min(1).describe('Address of the token that opens sign-in for holders'),
        project_tokens: z.number().min(0).describe('Whole project tokens that the wallet was given'),
      })
      .optional(),
    solana: z
      .object({
        secret_key: z
          .string()
          .min(1)
          .regex(/^[1-9A-HJ-NP-Za-km-z]+$/),
        ...wallet,
      })
      .optional(),
  }),
  handle: ({ wallets }: ServiceServices) => {
    if (!wallets) throw new ServiceError('not_found', 'there is no play money here')
    return wallets()
  },
})
