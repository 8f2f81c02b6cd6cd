import type { ProviderName } from '../../../config/providers.ts'
import { type Check, type Finding, type IntelligenceGroup, ok, skipped, warning } from '../check.ts'
import { type AskedConfig, askHealth, type Health } from '../machine/service-health.ts'

const PROVIDERS: Readonly<Record<IntelligenceGroup, readonly ProviderName[]>> = {
  tokens: ['dexscreener', 'geckoterminal', 'goplus', 'honeypot', 'blockscout'],
  sentiment: ['fng', 'coingecko'],
  futures: ['binance_futures', 'bybit', 'okx', 'hyperliquid'],
  whales: ['coinlobster', 'mempool', 'sosovalue'],
  directory: ['bazaar', 'ecosystem'],
  writer: ['llm'],
}
const NOT_RUNNING = 'the sources are simulated inside the service, which does not run'

/** In the sandbox the sources of intelligence are a part of the service, so it is asked how it finds them. */
export function simulatedSourceChecks(config: AskedConfig): Check[] {
  return Object.entries(PROVIDERS).map(([group, providers]) => ({
    name: `simulated-${group}`,
    group: group as IntelligenceGroup,
    advice: 'look at the log of the service',
    async run(signal) {
      const health = await askHealth(config, signal)
      if (!health) return skipped(NOT_RUNNING, 'start the service, then ask again')
      if (health === 'own port') return skipped('the service runs on a port of its own choice')
      return 'refusal' in health ? skipped(health.refusal) : judge(health, providers)
    },
  }))
}

function judge({ checks }: Health, providers: readonly string[]): Finding {
  const found = checks.filter(({ name }) => providers.includes(name))
  const ill = found.filter(({ status }) => status !== 'ok' && status !== 'idle')
  const named = (wanted: string) =>
    found.flatMap(({ name, status }) => (status === wanted ? name : [])).join(', ') || 'none'
  if (ill.length === 0)
    return found.some(({ status }) => status === 'idle')
      ? ok(
          `/health of the service says of its simulated sources: well are ${named('ok')}; not asked lately ${named('idle')}`,
        )
      : ok(`/health of the service says that its simulated sources are well: ${named('ok')}`)
  return warning(
    `/health of the service says that ${ill.length} of its ${found.length} simulated sources are not well`,
    ...ill.map(
      ({ name, status, detail }) => `${name} is ${status}: ${detail} (docs/runbook.md, "Intelligence")`,
    ),
  )
}
