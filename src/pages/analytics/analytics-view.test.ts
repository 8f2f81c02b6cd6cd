import { expect, test } from 'vitest'
import type { z } from 'zod'
import { createCatalog } from '../../catalog/catalog.ts'
import type { Group } from '../../catalog/group.ts'
import type { Site } from '../../catalog/site.ts'
import { discoveryGroup } from '../../discovery/group.ts'
import { marketGroup } from '../../products/market/group.ts'
import { paymentGroup } from '../../products/payments/group.ts'
import type { Analytics } from '../../products/payments/x402-analytics.ts'
import { testSite } from '../../testing/discovery/sample-site.ts'
import { analyticsView } from './analytics-view.ts'

type Reply = z.output<typeof Analytics>

const site = testSite({
  catalog: createCatalog<Site>([marketGroup as Group<never>, paymentGroup as Group<never>, discoveryGroup]),
})
const NOON = '2026-01-05T12:00:00.000Z'
const revenue = { settlements: 2, revenue_usdc: 0.002, revenue_atomic: '2000' }
const calls = { paid: 2, demo: 5, holder: 0, free: 0, failed: 1 }
const sample: Reply = {
  timestamp: NOON,
  source: 'ledger',
  mode: 'live',
  period: '7d',
  from: '2025-12-29T12:00:00.000Z',
  ...revenue,
  unique_wallets: 1,
  wallets: [{ wallet: '0x1234…abcd', ...revenue, first_at: NOON, last_at: NOON }],
  other_wallets: { count: 0, settlements: 0, revenue_usdc: 0, revenue_atomic: '0' },
  products: [{ product_id: 'market.price', ...revenue }],
  networks: [{ network: 'eip155:8453', ...revenue }],
  per_day: [{ date: '2026-01-05', ...revenue }],
  calls: {
    from: '2025-12-29',
    ...calls,
    per_day: [{ date: '2026-01-05', ...calls }],
    products: [{ product_id: 'market.price', ...calls }],
  },
}
const hostile = '<img src=x onerror=alert(1)>"\'&'
const view = analyticsView.kind === 'reply' ? analyticsView : undefined
const pageOf = (changed: Partial<Reply> = {}) => view?.render(site, { ...sample, ...changed }) ?? ''

test('shows calls, sales and revenue as drawings and as tables, by product and by chain', () => {
  const page = pageOf()
  for (const title of ['Calls', 'Sales', 'Revenue in USDC']) {
    expect(page).toContain(`<summary>${title} as a table</summary>`)
    expect(page).toMatch(new RegExp(`<title id="\\w+-title">${title}</title>`))
  }
  expect(page).toContain('8 calls since 2025-12-29, 1 of them failed.')
  expect(page).toContain('<th scope="row">2026-01-05</th><td class="number">0.002</td>')
  expect(page).toMatch(/<th scope="row">Base</)
  expect(page).toContain('<code>/price/{token}</code>')
})

test('every period is a link, and the shown one says so', () => {
  const page = pageOf({ period: '30d' })
  const links = [...page.matchAll(/href="\/x402\/analytics\?period=(\w+)"( aria-current="page")?/g)]
  expect(links.map(([, period, current]) => [period, current !== undefined])).toEqual([
    ['24h', false],
    ['7d', false],
    ['30d', true],
    ['all', false],
  ])
})

test('play money is called so', () => {
  expect(pageOf({ mode: 'sandbox' })).toContain('play money')
  expect(pageOf({ mode: 'live' }).split('<main')[1]).not.toContain('play money')
})

test('a period without sales says so', () => {
  const nothing = { settlements: 0, revenue_usdc: 0, revenue_atomic: '0' }
  const page = pageOf({ ...nothing, per_day: [], products: [], networks: [], wallets: [], from: null })
  expect(page).toContain('Nothing was sold in this period')
  expect(page).not.toMatch(/NaN|Infinity|undefined/)
})

test('whatever names say, the page shows it as text; long lists are cut and counted', () => {
  const [product] = sample.products
  const [wallet] = sample.wallets
  const page = pageOf({
    products: Array(3_000).fill({ ...product, product_id: hostile }),
    networks: [{ ...sample.networks[0], network: hostile } as Reply['networks'][number]],
    wallets: Array(100).fill({ ...wallet, wallet: hostile }),
    unique_wallets: 400,
  })
  expect(page).not.toContain('<img src=x')
  expect(page).toContain('2,990 more')
  expect(page).toContain('390 more')
  expect(page.length).toBeLessThan(60_000)
})

test('years of days are drawn as months', () => {
  const per_day = Array.from({ length: 3_000 }, (_, n) => ({
    ...{ settlements: 1, revenue_usdc: 1, revenue_atomic: '1000000' },
    date: new Date(Date.parse('2018-01-01') + n * 86_400_000).toISOString().slice(0, 10),
  }))
  const page = pageOf({ per_day, from: null, period: 'all' })
  expect(page).toContain('<th scope="row">2018-01</th>')
  expect(page.length).toBeLessThan(80_000)
})

test('where sales are private the page says so and shows none', () => {
  const page = view?.renderClosed?.(site) ?? ''
  expect(page).toContain('keeps its sales and revenue private')
  expect(page).not.toContain('class="stats"')
})
