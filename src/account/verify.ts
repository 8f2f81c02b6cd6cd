import { z } from 'zod'
import { free } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { EvmAddress } from '../products/fields.ts'
import { BalanceField, SAMPLE_WALLET, TierField, Wallet } from './fields.ts'
import { SIGN_IN_LIMIT } from './limits.ts'
import { type AccountServices, holdersOf } from './services.ts'
import { wholeTokens } from './tiers.ts'

/** 8 KiB in hex: wallets that are contracts sign at length, the more so while they are not deployed yet. */
const SIGNATURE_LIMIT = 16_386
const NONCE_LIMIT = 128
const MESSAGE_LIMIT = 4_096

// What is no signature at all is a bad sign-in like any other: 401, and not 422.
const VerifyRequest = z.object({
  wallet: Wallet,
  signature: z
    .string()
    .max(SIGNATURE_LIMIT)
    .describe(
      'Over the message, in hex: 65 bytes of a plain key (EIP-191, lower s), or what a smart wallet returns (EIP-1271, ERC-6492)',
    ),
  nonce: z.string().max(NONCE_LIMIT).describe('Of the challenge'),
  message: z
    .string()
    .max(MESSAGE_LIMIT)
    .optional()
    .describe('The text that was signed; must be the challenge'),
})

export const verify = defineEndpoint({
  id: 'account.verify',
  method: 'POST',
  paramsIn: 'body',
  path: '/auth/verify',
  access: free,
  limit: SIGN_IN_LIMIT,
  summary: 'Trades a signed challenge for a token',
  description:
    'The second step of sign-in. The balance is read from the chain; who holds at least one project token gets a JWT (EdDSA, one hour) to send as Authorization: Bearer with calls of paid products, which then count against the daily allowance of the tier; the wallet has to go on holding the tokens. Keys are at /.well-known/jwks.json. Any signature that is not good: 401; not a holder: 403.',
  params: VerifyRequest,
  sample: {
    wallet: SAMPLE_WALLET,
    signature: `0x${'1b'.repeat(65)}`,
    nonce: '019b8e0746005b1f0c6e9d3a48f7a2c4e6081b3d5f7990b3d5f72c4e6081a48f',
  },
  placeholders: {
    values: { wallet: 'WALLET', signature: 'SIGNATURE', nonce: 'NONCE' },
    from: 'Put your address in place of `WALLET`, what /auth/challenge gave you in place of `NONCE`, and the signature of your wallet over its message in place of `SIGNATURE`.',
  },
  signer: ({ wallet }) => wallet.toLowerCase(),
  response: z.object({
    token: z
      .string()
      .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
      .describe('JWT; its sub is the wallet as CAIP-10, its claims are iss aud sub iat exp jti tier'),
    token_type: z.literal('Bearer'),
    expires_in: z.int().min(0).describe('Seconds'),
    wallet: EvmAddress,
    tier: TierField,
    balance: BalanceField,
  }),
  caller: true,
  handle: async (services: AccountServices, answer, { client }) => {
    const made = await holdersOf(services).signIn.verify(answer, client)
    return {
      token: made.token,
      token_type: 'Bearer' as const,
      expires_in: made.expiresInS,
      wallet: made.wallet,
      tier: made.tier.name,
      balance: wholeTokens(made.balance),
    }
  },
})
