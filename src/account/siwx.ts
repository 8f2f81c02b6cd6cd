import { z } from 'zod'
import { free } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { MINUTE_MS } from '../core/time/time.ts'
import { isoTime } from '../products/fields.ts'
import { OWN_LIMIT } from './limits.ts'
import type { AccountServices } from './services.ts'

const STATEMENT = 'Show what this wallet bought at Tollbook. This costs nothing and moves no money.'
const CHAINS = [
  { chainId: 'eip155:8453', type: 'eip191' },
  { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', type: 'ed25519' },
] as const

const declaration = (baseUrl: string, nonce: string, nowMs: number) => ({
  extensions: {
    'sign-in-with-x': {
      info: {
        domain: new URL(baseUrl).host,
        uri: baseUrl,
        version: '1' as const,
        statement: STATEMENT,
        nonce,
        issuedAt: isoTime(nowMs),
        expirationTime: isoTime(nowMs + 5 * MINUTE_MS),
      },
      supportedChains: [...CHAINS],
    },
  },
})

export const siwx = defineEndpoint({
  id: 'account.siwx',
  method: 'GET',
  path: '/account/sign-in',
  access: free,
  limit: OWN_LIMIT,
  summary: 'What a wallet signs to see what it bought',
  description:
    'The declaration of the x402 extension sign-in-with-x, with a fresh nonce: any library of it makes the header SIGN-IN-WITH-X from info and one of the chains, for a wallet on Base (EIP-191, smart wallets too) or Solana (Ed25519). A signature is good for five minutes and for one call of /account/receipts or /account/replies/{id}. A nonce of your own is as good.',
  params: z.object({}),
  sample: {},
  response: z.object({
    extensions: z.object({
      'sign-in-with-x': z.object({
        info: z.object({
          domain: z.string().min(1),
          uri: z.url(),
          version: z.literal('1').describe('Version of the text that is signed'),
          statement: z.string().min(1),
          nonce: z.string().min(1),
          issuedAt: z.iso.datetime(),
          expirationTime: z.iso.datetime(),
        }),
        supportedChains: z.array(
          z.object({ chainId: z.string().min(1), type: z.enum(['eip191', 'ed25519']) }),
        ),
      }),
    }),
  }),
  handle: ({ clock, baseUrl, newNonce }: AccountServices) => declaration(baseUrl, newNonce(), clock.now()),
})
