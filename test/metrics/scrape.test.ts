import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choosePort } from '../../src/http/listen.ts'
import { createBuyer } from '../../src/testing/buyer.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { isMissing } from '../../src/testing/missing.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { parseScrape, type Scraped, sumOf } from './scraped.ts'

const BASE = 'eip155:8453'
const PRICE = 1_000
let world: World
let metricsUrl: string
beforeAll(async () => {
  const port = await choosePort('127.0.0.1', 0)
  metricsUrl = `http://127.0.0.1:${port}/metrics`
  world = await startWorld({ TOLLBOOK_METRICS_PORT: String(port), TOLLBOOK_DEMO_CALLS_PER_DAY: '1' })
})
afterAll(() => world[Symbol.asyncDispose]())

const scrape = async (): Promise<Scraped> => parseScrape(await (await fetch(metricsUrl)).text())

/** Prices of the sandbox grow old where the machine has no time for it: such a call is answered 503, costs nothing, and is made again. */
async function served(ask: () => Promise<Response>): Promise<number> {
  for (let tries = 1; ; tries++) {
    await world.untilFresh()
    const { status } = await ask()
    if (status === 200) return tries
    expect([status, tries]).toEqual([503, expect.toSatisfy((n: number) => n < 10)])
  }
}

test('a scrape says what was done: paid, free, refused and hostile calls', async () => {
  const product =
    world.app.site.catalog.routes.find(({ path }) => path === '/price/{token}')?.endpoint.id ?? ''
  const before = await scrape()
  await served(() => world.get('/price/ETH'))
  const buyer = await createBuyer(world)
  let tries = 0
  for (let n = 0; n < 2; n++) tries += await served(() => buyer.fetch(`${world.url}/price/BTC`))
  // Fetched again: nothing more is paid.
  const paid = { 'payment-signature': buyer.sent.at(-1) ?? '' }
  expect((await world.get('/price/BTC', paid)).status).toBe(200)
  expect((await world.get('/price/BTC', { 'payment-signature': 'bm9uZQ==' })).status).toBe(402)
  for (let n = 0; n < 5; n++) expect((await world.get(`/no-${n}`)).status).toBe(404)
  for (let n = 0; n < 20; n++) await world.get(n % 2 ? '/livez' : '/readyz')

  const after = await scrape()
  const grown = (name: string, labels: Record<string, string>) =>
    sumOf(after, name, labels) - sumOf(before, name, labels)
  expect(grown('tollbook_calls_total', { product, via: 'demo', status: '2xx' })).toBe(1)
  expect(grown('tollbook_calls_total', { product, via: 'paid', status: '2xx' })).toBe(2)
  expect(grown('tollbook_payments_total', { network: BASE, outcome: 'settled' })).toBe(2)
  expect(grown('tollbook_payments_total', {})).toBe(2)
  expect(grown('tollbook_revenue_usdc_atomic_total', { product, network: BASE })).toBe(2 * PRICE)
  expect(grown('tollbook_ledger_revenue_usdc_atomic', { network: BASE })).toBe(2 * PRICE)
  expect(grown('tollbook_ledger_sales', {})).toBe(2)
  expect(grown('tollbook_refused_payments_total', { reason: 'malformed_payment' })).toBe(1)
  expect(grown('tollbook_refused_payments_total', {})).toBe(1)
  // The demo call, two sales of which each was told the price first, and the one that was fetched again.
  expect(grown('tollbook_http_request_seconds_count', { endpoint: product, status: '2xx' })).toBe(4)
  const refused = grown('tollbook_http_request_seconds_count', { endpoint: product, status: '4xx' })
  expect([refused >= 3, refused <= tries + 1]).toEqual([true, true])
  expect(grown('tollbook_http_request_seconds_count', { endpoint: 'none' })).toBe(5)
  expect(grown('tollbook_ledger_write_seconds_count', { step: 'enter', outcome: 'ok' })).toBe(2)
  // The worker may settle a row beside its own request: then there is a third write, and the payment still counts once.
  expect(
    grown('tollbook_ledger_write_seconds_count', { step: 'settle', outcome: 'ok' }),
  ).toBeGreaterThanOrEqual(2)
  expect(sumOf(after, 'tollbook_ready')).toBe(1)
  expect(sumOf(after, 'tollbook_open_payments')).toBe(0)
  expect(sumOf(after, 'tollbook_scrape_faults_total')).toBe(0)
  expect(sumOf(after, 'tollbook_check_state', { check: 'store', state: 'ok' })).toBe(1)
  expect(sumOf(after, 'tollbook_node_up', { chain: 'base' })).toBe(1)
})

test('whatever strangers send, no new series comes of it', async () => {
  const attack = async () => {
    const word = () => randomBytes(8).toString('hex')
    const address = () => `0x${randomBytes(20).toString('hex')}`
    for (let n = 0; n < 10; n++) {
      const odd = [
        `/${word()}`,
        `/price/${word()}`,
        `/token/${address()}/score`,
        `/wallet/${address()}`,
        `/x402/receipts/${word()}`,
      ]
      for (const path of odd) await world.get(`${path}?demo=0&${word()}=${word()}`)
      await world.get('/price/BTC', { 'payment-signature': Buffer.from(word()).toString('base64') })
      await world.get('/admin/usage', { authorization: `Bearer ${word()}${word()}` })
      for (const method of ['DELETE', 'PROPFIND', 'OPTIONS', 'PUT'])
        await world.send(method, `/price/${word()}`)
      const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: word(), arguments: {} } }
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      await world.send('POST', '/mcp', { headers, body: JSON.stringify(rpc) })
    }
  }
  const counted = async () =>
    [...(await scrape()).values.keys()].filter((series) =>
      /^tollbook_(http|calls|payments|revenue|refused|connections|ledger_write)/.test(series),
    )
  await attack()
  const known = await counted()
  await attack()
  await attack()
  expect(await counted()).toEqual(known)
  expect(known.filter((series) => /0x[0-9a-f]{20}|[0-9a-f]{16}/.test(series))).toEqual([])
})

const own = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const alerts = readFileSync(own('ops/prometheus/alerts.yaml'), 'utf8')
const alertExprs = [...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr)
const alertNames = [...alerts.matchAll(/- alert: (\w+)$/gm)].map(([, name = '']) => name)
const panels: { targets: { expr: string; legendFormat: string }[] }[] = JSON.parse(
  readFileSync(own('ops/grafana/tollbook.json'), 'utf8'),
).panels
const panelExprs = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const named = (expr: string) => expr.match(/\b(?:tollbook|nodejs|process)_\w+/g) ?? []
/** A histogram is asked for by the names of its lines. */
const familyOf = (name: string, { types }: Scraped) => {
  const whole = name.replace(/_(bucket|sum|count)$/, '')
  return types.get(whole) === 'histogram' ? whole : name
}

test('every metric of the dashboard and the alerts is in a scrape, and they leave none of ours out', async () => {
  const scraped = await scrape()
  expect([alertExprs.length, panelExprs.length]).toEqual([
    alertNames.length,
    expect.toSatisfy((n: number) => n > 40),
  ])
  const used = new Set([...alertExprs, ...panelExprs].flatMap(named).map((name) => familyOf(name, scraped)))
  expect([...used].filter((name) => !scraped.types.has(name))).toEqual([])
  const notShown = ['tollbook_info', 'tollbook_check_age_seconds']
  const ours = [...scraped.types.keys()].filter((name) => name.startsWith('tollbook_'))
  expect(ours.filter((name) => !used.has(name))).toEqual(notShown)
})

test('no series is told twice: Prometheus would keep one of them', async () => {
  const lines = (await (await fetch(metricsUrl)).text()).split('\n')
  const series = lines
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.replace(/ \S+$/, ''))
  expect(series.filter((each, at) => series.indexOf(each) !== at)).toEqual([])
})

test('labels that expressions ask for are those that the metrics have', async () => {
  const { values } = await scrape()
  for (const expr of [...alertExprs, ...panelExprs])
    for (const [, name = '', labels = ''] of expr.matchAll(/\b(tollbook_\w+)\{([^}]*)\}/g))
      for (const [, label = ''] of labels.matchAll(/(\w+)=~?"/g)) {
        // Prometheus adds it.
        if (label === 'instance') continue
        const series = [...values.keys()].filter((each) => each.startsWith(`${name}{`))
        if (series.length > 0)
          expect([expr, series.every((each) => each.includes(`${label}="`))]).toEqual([expr, true])
      }
})

test('of several processes the dashboard says which it shows, and of all it adds up, and shows those that are chosen', () => {
  for (const { expr, legendFormat } of panels.flatMap(({ targets }) => targets)) {
    const isSum = /\b(sum|max)\b/.test(expr)
    expect([expr, legendFormat.includes('{{instance}}')]).toEqual([expr, !isSum])
    expect([expr, expr.split('instance=~"$process"').length - 1]).toEqual([expr, named(expr).length])
  }
})

test('brackets and quotes of every expression are closed', () => {
  const closing: Record<string, string> = { '(': ')', '{': '}', '[': ']' }
  for (const expr of [...alertExprs, ...panelExprs]) {
    const open: string[] = []
    const bare = expr.replace(/"[^"]*"/g, '')
    for (const char of bare) {
      if (closing[char]) open.push(closing[char])
      else if (Object.values(closing).includes(char)) expect([expr, open.pop()]).toEqual([expr, char])
    }
    expect([expr, open, bare.includes('"')]).toEqual([expr, [], false])
  }
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
test.skipIf(isMissing('promtool', hasPromtool))(
  'Prometheus itself takes the alerts, the expressions and a scrape',
  async () => {
    const check = (...args: string[]) => spawnSync('promtool', ['check', ...args], { encoding: 'utf8' })
    const rules = check('rules', own('ops/prometheus/alerts.yaml'))
    expect([rules.status, rules.stderr]).toEqual([0, ''])
    const recorded = panelExprs.map((expr, at) => ({ record: `panel:number_${at}`, expr }))
    const file = join(temporaryDir(), 'panels.yaml')
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }))
    const drawn = check('rules', file)
    expect([drawn.status, drawn.stderr]).toEqual([0, ''])
    const input = await (await fetch(metricsUrl)).text()
    const linted = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input })
    // Names that the library gives to what Node tells of itself are not ours to choose.
    const ofOurs = `${linted.stdout}${linted.stderr}`
      .split('\n')
      .filter((line) => /tollbook|error/.test(line))
    expect(ofOurs).toEqual([])
  },
)

test('the runbook says of every alert what to do', () => {
  const runbook = readFileSync(own('docs/runbook.md'), 'utf8')
  expect(alertNames.filter((name) => !runbook.includes(`| \`${name}\` |`))).toEqual([])
})
