import { z } from 'zod'
import { free } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { isoTime } from '../products/fields.ts'
import { CHAIN_ID } from './challenge-text.ts'
import { SAMPLE_WALLET, Wallet } from './fields.ts'
import { CHALLENGE_LIMIT } from './limits.ts'
import { type AccountServices, holdersOf } from './services.ts'

export const challenge = defineEndpoint({
  id: 'account.challenge',
  method: 'GET',
  path: '/auth/challenge',
  access: free,
  limit: CHALLENGE_LIMIT,
  summary: 'A text for a wallet to sign',
  description:
    'The first step of sign-in for holders of the project token. The message is EIP-4361 (Sign-In with Ethereum), bound to this service, this wallet and a nonce. It is valid for five minutes and works once. Sign it as it stands (personal_sign, EIP-191) and post the signature to /auth/verify.',
  params: z.object({ wallet: Wallet }),
  sample: { wallet: SAMPLE_WALLET },
  response: z.object({
    wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    message: z.string().describe('Sign exactly this text'),
    nonce: z.string().min(1),
    chain_id: z.literal(CHAIN_ID),
    issued_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  }),
  handle: (services: AccountServices, { wallet }) => {
    const made = holdersOf(services).signIn.challenge(wallet)
    return {
      wallet: made.wallet,
      message: made.message,
      nonce: made.nonce,
      chain_id: CHAIN_ID,
      issued_at: isoTime(made.issuedMs),
      expires_at: isoTime(made.expiresMs),
    }
  },
})
