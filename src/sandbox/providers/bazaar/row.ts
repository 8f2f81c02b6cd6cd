import type { SimService } from '../../directory/service-world.ts'

const PAY_TO = `0x${'5a'.repeat(20)}`
const SOLANA_PAY_TO = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'
const extra = { name: 'USD Coin', version: '2' }
const payToOf = (network: string) => (network.startsWith('solana') ? SOLANA_PAY_TO : PAY_TO)
const isoAgo = (nowMs: number, agoS: number) => new Date(nowMs - agoS * 1000).toISOString()

/** A service in the words of its version of the protocol. */
export function toBazaarRow(service: SimService, nowMs: number): Record<string, unknown> {
  const { use } = service
  const called = { lastCalledAt: isoAgo(nowMs, service.calledAgoS) }
  return {
    ...(service.version === 1 ? toV1(service) : toV2(service)),
    lastUpdated: isoAgo(nowMs, Math.min(service.listedAgoS, service.calledAgoS)),
    ...(use && { quality: { l30DaysTotalCalls: use.calls, l30DaysUniquePayers: use.payers, ...called } }),
  }
}

function toV2({ url, name, description, tags, type, offers }: SimService) {
  return {
    resource: url,
    type,
    x402Version: 2,
    description,
    serviceName: name,
    tags,
    accepts: offers.map(({ network, units }) => ({
      scheme: 'exact',
      network: network.v2,
      asset: network.asset,
      amount: String(units),
      payTo: payToOf(network.v2),
      maxTimeoutSeconds: 300,
      extra,
    })),
    extensions: {
      bazaar: {
        info: { input: { type: 'http', method: 'GET' }, output: { type: 'json', example: {} } },
        schema: { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      },
    },
  }
}

/** Version 1 has no name: its words stand in the terms. */
function toV1({ url, description, type, offers }: SimService) {
  return {
    resource: url,
    type,
    x402Version: 1,
    metadata: {},
    accepts: offers.map(({ network, units }) => ({
      scheme: 'exact',
      network: network.v1,
      asset: network.asset,
      maxAmountRequired: String(units),
      payTo: payToOf(network.v1),
      maxTimeoutSeconds: 60,
      resource: url,
      description,
      mimeType: 'application/json',
      outputSchema: { input: { method: 'GET', type: 'http' }, output: null },
      extra,
    })),
  }
}
