import type { FirstKey } from '../../app/operator-access.ts'
import { isPaid } from '../../catalog/catalog.ts'
import { fillPath } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { toDecimal } from '../../core/money.ts'

const ABOUT_MODE: Record<Site['mode'], readonly string[]> = {
  sandbox: ['The market and the money are simulated: nothing here is real.', ''],
  paper: ['The market is real, the money is play money.', ''],
  live: [],
}

/** What a person who has just started the service can try, taken from the catalog. */
export function nextSteps({ baseUrl, catalog, demoCallsPerDay, mode }: Site, firstKey?: FirstKey): string {
  const [first] = catalog.paid
  const health = catalog.endpoints.find((endpoint) => endpoint.id === 'service.health')
  const lines = [...ABOUT_MODE[mode]]
  if (first && isPaid(first)) {
    const url = `${baseUrl}${fillPath(first.path, first.sample)}`
    lines.push(
      `curl -i ${url}`,
      `    ${first.summary}: ${toDecimal(first.access.price)} USDC, ${demoCallsPerDay} free calls a day`,
    )
    lines.push(`curl -i '${url}?demo=0'`, '    what the payment challenge looks like')
  }
  if (first && catalog.endpoints.some(({ id }) => id === 'sandbox.wallets'))
    lines.push(
      `./tollbook buy ${fillPath(first.path, first.sample)} --url ${baseUrl}`,
      '    a paid call, step by step',
    )
  if (health) lines.push(`curl ${baseUrl}${health.path}`, `    ${health.summary}`)
  lines.push(`curl ${baseUrl}/`, '    everything that is offered', '')
  if (firstKey) {
    const { key, file } = firstKey
    lines.push(`operator key: ${key.reveal()}`, `    shown this once, and kept in ${file}`, '')
  }
  lines.push('Ctrl-C stops it.')
  return `\n${lines.map((line) => (line ? `  ${line}` : '')).join('\n')}\n\n`
}
