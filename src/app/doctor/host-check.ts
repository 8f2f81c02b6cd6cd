import { PROVIDERS, type ProviderName, type UpstreamName } from '../../config/providers.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { type Upstream, UpstreamError } from '../../upstreams/upstream.ts'
import { askerOf } from './ask-once.ts'
import { type Check, type Finding, failure, type Group } from './check.ts'
import { limitText } from './limit-text.ts'

const REFUSED_FOR_NOW = 429

/** One REST address of a provider, and how to see that it is well. */
export type Host = {
  name: string
  group: Group
  provider: ProviderName
  upstream: UpstreamName
  headers?: Readonly<Record<string, string>> | undefined
  look(asker: Pick<Upstream, 'ask'>): Promise<Finding>
  /** What a refusal means where it is not what it means everywhere. */
  explain?(error: UpstreamError): Finding | undefined
}

export function hostCheck(
  { name, group, provider, upstream, headers, look, explain }: Host,
  url: string,
): Check {
  return {
    name,
    group,
    advice: `look whether this machine may connect to ${new URL(url).host} (${PROVIDERS[provider].title}), and at TOLLBOOK_UPSTREAM_${upstream}_URL`,
    async run(signal) {
      const startedMs = performance.now()
      try {
        const finding = await look(askerOf(url, signal, headers))
        if (finding.state === 'skipped') return finding
        const tookMs = Math.round(performance.now() - startedMs)
        return { ...finding, what: `${finding.what}, in ${tookMs} ms${limitText(provider)}` }
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error
        const explained = explain?.(error)
        if (explained) return explained
        if (error.status !== REFUSED_FOR_NOW) throw error
        const waitS = Math.ceil((error.retryAfterMs ?? MINUTE_MS) / SECOND_MS)
        return failure(
          `refuses requests from this address for now (429)${limitText(provider)}`,
          `wait ${waitS} s; stop other programs on this address that ask it too often`,
        )
      }
    },
  }
}
