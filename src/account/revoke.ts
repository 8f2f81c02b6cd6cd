import { z } from 'zod'
import { wallet } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import type { AccountServices } from './services.ts'

export const revoke = defineEndpoint({
  id: 'account.revoke',
  method: 'POST',
  path: '/auth/revoke',
  access: wallet,
  caller: true,
  summary: 'Ends the token it is called with',
  description:
    'Sign-out: the token in Authorization opens nothing any more, here or in any other process of this service. Other tokens of the same wallet stay good.',
  params: z.object({}),
  sample: {},
  response: z.object({ revoked: z.literal(true), jti: z.string().describe('Of the token that ended') }),
  handle: async ({ revoke: end }: AccountServices, _params, { token }) => {
    await end(token)
    return { revoked: true as const, jti: token.id }
  },
})
