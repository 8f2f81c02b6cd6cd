import { z } from 'zod'
import { free } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import type { AccountServices } from './services.ts'

const Key = z.object({
  kid: z.string().min(1),
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z
    .string()
    .min(1)
    .regex(/^[\w-]+$/),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
})
const SAMPLE_X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
const sample = (kid: string) =>
  ({ kid, kty: 'OKP', crv: 'Ed25519', x: SAMPLE_X, use: 'sig', alg: 'EdDSA' }) as const

export const jwks = defineEndpoint({
  id: 'account.jwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  access: free,
  summary: 'Public keys of sign-in tokens',
  description:
    'The key that signs tokens now and the one that will sign after it, so that whoever keeps a copy is never surprised; for an hour after each change also the key before. JWK Set (RFC 7517).',
  params: z.object({}),
  sample: {},
  response: z.object({ keys: z.array(Key) }),
  cacheControl: 'public, max-age=300',
  handle: ({ jwks: keys }: AccountServices) => ({
    keys: keys().map(({ kid, x }) => ({ ...sample(kid), x })),
  }),
})
