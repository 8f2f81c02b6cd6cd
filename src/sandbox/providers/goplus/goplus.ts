import type { ProviderServer } from '../provider-server.ts'
import { ok, readOnly } from '../reply.ts'
import type { TokenMarket } from '../token-market.ts'
import { toSecurity } from './security.ts'

const MAX_ADDRESSES = 100
const PATH = '/api/v1/token_security/8453'
const ADDRESS = /^0x[0-9a-f]{40}$/i
// Its errors come with 200.
const BAD_ADDRESS = ok({ code: 2004, message: 'contract address format error!', result: null })

export function createGoPlusServer(market: TokenMarket): ProviderServer {
  return {
    rest: readOnly((path, query) => {
      if (path !== PATH) return undefined
      const addresses = (query.get('contract_addresses') ?? '').toLowerCase().split(',')
      if (addresses.length > MAX_ADDRESSES || !addresses.every((address) => ADDRESS.test(address)))
        return BAD_ADDRESS
      const known = addresses.flatMap((address) => market.token(address) ?? [])
      const result = Object.fromEntries(known.map((token) => [token.address, toSecurity(token, market)]))
      return ok({ code: 1, message: 'OK', result })
    }),
    socketAt: () => undefined,
    close() {},
  }
}
