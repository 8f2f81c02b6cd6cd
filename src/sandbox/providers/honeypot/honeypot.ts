import { isAddress } from 'viem'
import type { ProviderServer } from '../provider-server.ts'
import { json, ok, readOnly } from '../reply.ts'
import type { TokenMarket } from '../token-market.ts'
import { toSimulation } from './simulation.ts'

const NO_PAIRS = json(404, { code: 404, error: 'No pairs found' })
const BAD_ADDRESS = json(400, { code: 400, error: 'Invalid address' })

export function createHoneypotServer(market: TokenMarket): ProviderServer {
  return {
    rest: readOnly((path, query) => {
      if (path !== '/v2/IsHoneypot') return undefined
      const address = (query.get('address') ?? '').toLowerCase()
      if (!isAddress(address)) return BAD_ADDRESS
      if ((query.get('chainID') ?? '8453') !== '8453') return NO_PAIRS
      const token = market.token(address)
      // It cannot trade in pools of Uniswap v4.
      const pool = token && market.poolsOf(token).find((live) => live.pool.dex !== 'uniswap-v4-base')
      return token && pool ? ok(toSimulation(token, pool, market)) : NO_PAIRS
    }),
    socketAt: () => undefined,
    close() {},
  }
}
