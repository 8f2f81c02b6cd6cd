import { contractPart } from '../rules/path-parts.ts'
import { type Upstream, UpstreamError } from '../upstream.ts'
import { SecurityReply, type TokenSecurity } from './wire.ts'

const CHAIN_ID = 8453
const OK = 1
const PARTIAL = 2
const TOO_MANY = 4029

/** What GoPlus finds in the contracts of tokens on Base. */
export type GoPlus = {
  /** Undefined where GoPlus does not know the token. What a field leaves undefined is unknown, never safe. */
  tokenSecurity(address: string): Promise<TokenSecurity | undefined>
}

export function createGoPlus({ ask }: Pick<Upstream, 'ask'>): GoPlus {
  return {
    async tokenSecurity(address) {
      const part = contractPart(address)
      const path = `/api/v1/token_security/${CHAIN_ID}`
      const { code, message, tokens } = await ask({
        path,
        query: { contract_addresses: part },
        schema: SecurityReply,
      })
      if (code === OK || code === PARTIAL) return tokens.get(part)
      // Its errors come with 200.
      const status = code === TOO_MANY ? 429 : 400
      throw new UpstreamError('refused', `${path}: code ${code}: ${message}`, { status })
    },
  }
}
