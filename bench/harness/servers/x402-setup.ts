import { type FacilitatorClient, type RouteConfig, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import type { Envelope, MirroredRoute } from '../offer.ts'
import { toColon } from './to-colon.ts'

type Facilitator = Pick<FacilitatorClient, 'verify' | 'settle'>
const unused = () => Promise.reject(new Error('no payment is made here'))

/** The SDK's middleware set up to send the challenge that our service sends. */
export function setUpX402(
  { routes, envelope }: { routes: readonly MirroredRoute[]; envelope: Envelope },
  facilitator: Facilitator = { verify: unused, settle: unused },
) {
  const paid = routes.filter((route) => route.isPaid)
  const config = routeConfig(envelope)
  return {
    resourceServer: createResourceServer(envelope, facilitator),
    protectedRoutes: Object.fromEntries(paid.map(({ path }) => [`GET ${toColon(path)}`, config])),
  }
}

function routeConfig({ resource, accepts, extensions }: Envelope): RouteConfig {
  const { url, ...described } = resource
  return {
    ...described,
    resource: url,
    // Amount and asset as they are: parsing a dollar text for every request would slow the SDK down.
    accepts: accepts.map(({ amount, asset, extra, ...option }) => ({
      ...option,
      price: { amount, asset, extra },
    })),
    extensions,
  }
}

function createResourceServer({ accepts }: Envelope, facilitator: Facilitator): x402ResourceServer {
  const kinds = accepts.map(({ scheme, network, extra }) => ({ x402Version: 2, scheme, network, extra }))
  const server = new x402ResourceServer({
    ...facilitator,
    getSupported: async () => ({ kinds, extensions: [], signers: {} }),
  })
  for (const { network } of accepts)
    server.register(network, network.startsWith('eip155:') ? new ExactEvmScheme() : new ExactSvmScheme())
  return server
}
