import { expect, test } from 'vitest'
import { isPaid } from '../../catalog/catalog.ts'
import { toAtomic, usd } from '../../core/money.ts'
import { rendered, testSite } from '../../testing/discovery/sample-site.ts'

const site = testSite()
const parse = (id: string) => JSON.parse(rendered(site, id))

/** Path to price in millionths, as the catalog has it. */
const declared = Object.fromEntries(
  site.catalog.routes.flatMap(({ path, endpoint }) =>
    isPaid(endpoint) ? [[path, toAtomic(endpoint.access.price)]] : [],
  ),
)
const atomic = (price: number) => toAtomic(usd(String(price)))

test('the shop sells under three addresses', () => {
  expect(declared).toEqual({
    '/harbours/{name}': '12500',
    '/home-harbour': '12500',
    '/ports/{name}': '12500',
  })
})

test('the directory, the listing and the price list name the catalog price of every paid address', () => {
  const { endpoints } = parse('document.directory')
  const byPath = Object.entries(endpoints.paid as Record<string, { price_usdc: number }>)
  expect(Object.fromEntries(byPath.map(([path, entry]) => [path, atomic(entry.price_usdc)]))).toEqual(
    declared,
  )

  const listed = parse('document.paid').endpoints as { path: string; price_usdc: number }[]
  expect(Object.fromEntries(listed.map(({ path, price_usdc }) => [path, atomic(price_usdc)]))).toEqual(
    declared,
  )

  const items = parse('document.pricing').items as {
    path: string
    aliases: string[]
    amount_atomic: string
    price_usdc: number
  }[]
  const priced = items.flatMap((item) =>
    [item.path, ...item.aliases].map((path) => [path, item.amount_atomic]),
  )
  expect(Object.fromEntries(priced)).toEqual(declared)
  expect(items.map((item) => atomic(item.price_usdc))).toEqual(items.map((item) => item.amount_atomic))
})

test('the API description and the manifest ask the same of every network', () => {
  type Paid = {
    'x-payments': { price: { amount_atomic: string; usd: number }; accepts: { amount: string }[] }
    'x-payment-info': { price: { amount: string } }
  }
  const { paths } = parse('document.openapi') as { paths: Record<string, { get: Paid }> }
  for (const [path, amount] of Object.entries(declared)) {
    const operation = paths[path]?.get
    expect(operation?.['x-payments'].price.amount_atomic).toBe(amount)
    expect(atomic(operation?.['x-payments'].price.usd ?? 0)).toBe(amount)
    expect(operation?.['x-payments'].accepts.map((entry) => entry.amount)).toEqual([amount, amount])
    expect(toAtomic(usd(operation?.['x-payment-info'].price.amount ?? '0'))).toBe(amount)
  }
  const { items, resources } = parse('document.x402_manifest')
  expect(items).toHaveLength(Object.keys(declared).length)
  expect(
    items.flatMap((item: { accepts: { amount: string }[] }) => item.accepts.map(({ amount }) => amount)),
  ).toEqual(Array(6).fill('12500'))
  expect(items.map((item: { resource: string }) => item.resource)).toEqual(resources)
})

test('resources are addresses one can call, with the params of their paths filled in', () => {
  expect(parse('document.x402_manifest').resources).toEqual([
    'https://harbour.test:8443/harbours/deal%20%26%20dover',
    'https://harbour.test:8443/home-harbour',
    'https://harbour.test:8443/ports/deal%20%26%20dover',
  ])
})

test('the directory names what is free, both methods of one path together', () => {
  const { free } = parse('document.directory').endpoints
  expect(free['/tides']).toBe('Tides of the next days; POST: Writes a line into the logbook')
  expect(free['/harbours']).toBe('Redirects to one harbour')
  expect(Object.keys(free).filter((path) => path in declared)).toEqual([])
})

test('the listing to read has one part for each endpoint, which names its aliases', () => {
  const text = rendered(site, 'document.paid', 'text/markdown')
  expect(text.match(/^## GET .*$/gm)).toEqual(['## GET /harbours/{name}: $0.0125'])
  expect(text).toContain('Also at `/home-harbour` (name=hull), `/ports/{name}`.')
})

test('agents are shown one endpoint of each subject, by its own path, and how many there are', () => {
  const [agent] = parse('document.agents').agents
  expect(agent.featured.map(({ path }: { path: string }) => path)).toEqual(['/harbours/{name}'])
  expect(agent.paid_endpoints).toBe(1)
  const text = rendered(site, 'document.agents', 'text/markdown')
  expect(text).toContain(`[\`/harbours/{name}\`](${agent.featured[0].docs})`)
  expect(text).toContain(`There are ${agent.paid_endpoints} paid endpoints`)
})
