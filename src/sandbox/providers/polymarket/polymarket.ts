import type { ProviderServer } from '../provider-server.ts'

export type PolymarketServers = Record<
  'gamma' | 'clob' | 'poly_data' | 'poly_web' | 'relayer',
  ProviderServer
>

/** Polymarket's services, one server for each of its hosts. */
export function createPolymarket(): PolymarketServers {
  const nothing: ProviderServer = { rest: () => undefined, socketAt: () => undefined, close() {} }
  return { gamma: nothing, clob: nothing, poly_data: nothing, poly_web: nothing, relayer: nothing }
}
