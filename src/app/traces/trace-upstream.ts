import type { ProviderName } from '../../config/providers.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import { inSpan } from './current.ts'
import { KIND } from './span.ts'

/** The same provider. Its paths stay out of spans: tokens and wallets stand in them. */
export function traceUpstream(upstream: Upstream, provider: ProviderName): Upstream {
  const about = (method: string) => ({
    name: `upstream ${provider}`,
    kind: KIND.client,
    attributes: { 'http.request.method': method, 'tollbook.upstream': provider },
  })
  return {
    ...upstream,
    ask: (request) => inSpan(about(request.body === undefined ? 'GET' : 'POST'), () => upstream.ask(request)),
  }
}
