import type { Config } from '../../config/config.ts'
import { isSecret } from '../../core/secret.ts'
import { redactorOf } from '../../upstreams/polymarket/redactor.ts'

/** Takes out whatever of the configuration must not be shown: others repeat what they were sent. */
export function redactConfig(config: Config): (text: string) => string {
  const { evmRpcUrls, svmRpcUrls } = config.chains
  const secrets = [
    ...secretsIn(config),
    ...[...evmRpcUrls, ...svmRpcUrls].flatMap(partsOf),
    ...[config.databaseUrl, config.redisUrl].flatMap((url) => (url ? passwordIn(url.reveal()) : [])),
  ]
  return redactorOf(() => secrets)
}

function secretsIn(value: unknown): string[] {
  if (isSecret(value)) return [value.reveal(), value.reveal().replace(/^0x/, '')]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(secretsIn)
}

/** As it is written there, and as a server is told it. */
function passwordIn(url: string): string[] {
  const { password } = new URL(url)
  return password === '' ? [] : [password, decodeURIComponent(password)]
}

/** Keys of providers stand in paths and queries of their addresses. */
function partsOf(url: string): string[] {
  const { pathname, searchParams } = new URL(url)
  return [...pathname.split('/'), ...searchParams.values()]
}
