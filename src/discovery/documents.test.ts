import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Site } from '../catalog/site.ts'
import { DAY_MS } from '../core/time/time.ts'
import { METHOD_PAGES, methodLink } from '../products/method-link.ts'
import { PAY_TO, rendered, testSite } from '../testing/discovery/sample-site.ts'
import { API_VERSION, LICENSE, noticeOf } from './about.ts'
import { pathOf } from './address.ts'
import { documents } from './documents.ts'

const SIZE_LIMIT_BYTES = 300_000
const forms = documents.flatMap((document) =>
  document.renderings.map((rendering) => ({
    name: `${document.id} ${rendering.mediaType}`,
    document,
    rendering,
  })),
)
const everything = (site: Site) => forms.map(({ rendering }) => rendering.render(site))

describe.each(forms)('$name', ({ rendering }) => {
  const site = testSite()
  const whole = rendering.render(site)

  test('is the same at each rendering, not empty and not too large', () => {
    expect(rendering.render(site)).toBe(whole)
    expect(whole.length).toBeGreaterThan(100)
    expect(Buffer.byteLength(whole)).toBeLessThan(SIZE_LIMIT_BYTES)
  })
  test('JSON has the shape it declares, and so has its example', () => {
    expect(rendering.schema !== undefined).toBe(rendering.mediaType.includes('json'))
    if (!rendering.schema) return
    rendering.schema.parse(JSON.parse(whole))
    rendering.schema.parse(rendering.example?.(site))
  })
  test('links only to addresses that answer', () => {
    const links = [...whole.matchAll(/https:\/\/harbour\.test:8443(\/[^\s"'<>)?;,\\]*)/g)]
    const paths = links.map(([, path = '']) => path.replace(/\.$/, ''))
    const dead = paths.filter((path) => !isAnswered(site, path))
    expect(dead).toEqual([])
  })
})

function isAnswered(site: Site, path: string): boolean {
  return site.catalog.routes.some((route) => {
    const pattern = route.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/{}]+')
    return new RegExp(`^${pattern}$`).test(path)
  })
}

test('nothing but the site says where we are', () => {
  const elsewhere = testSite({ baseUrl: 'http://other.test' })
  for (const text of everything(elsewhere))
    expect(text).not.toMatch(/harbour\.test:8443|127\.0\.0\.1|localhost/)
})

describe('simulated data and money never look real', () => {
  const human = [
    'directory',
    'directory_md',
    'quickstart',
    'quickstart_md',
    'pricing',
    'pricing_md',
    'paid',
    'paid_md',
    'agents',
    'agents_md',
    'openapi',
    'x402_manifest',
    'agent_card',
    'llms',
    'llms_full',
    'ai_catalog',
  ].map((name) => `document.${name}`)
  const spoken = forms.filter(({ document }) => human.includes(document.id))

  test.each(spoken)('$name says so in sandbox and paper mode, and is silent when live', ({ rendering }) => {
    const live = testSite({ mode: 'live' })
    for (const mode of ['sandbox', 'paper'] as const) {
      const site = testSite({ mode })
      expect(rendering.render(site)).toContain(noticeOf(site))
      expect(noticeOf(site)).toMatch(/the money is play money/)
    }
    expect(rendering.render(live)).not.toMatch(/simulated|SANDBOX/)
  })
})

test('receiving addresses stand in fields made for them, never in prose', () => {
  for (const { document, rendering } of forms) {
    const whole = rendering.render(testSite())
    const misplaced = rendering.schema ? strayStrings(JSON.parse(whole)) : [whole].filter(namesReceiver)
    expect(misplaced, document.id).toEqual([])
  }
})

const namesReceiver = (text: string) => text.includes(PAY_TO.evm) || text.includes(PAY_TO.svm.address)

function strayStrings(value: unknown): string[] {
  if (typeof value === 'string') return namesReceiver(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => (key === 'payTo' ? [] : strayStrings(entry)))
}

test('without free calls no document promises any', () => {
  const site = testSite({ demoCallsPerDay: 0 })
  for (const text of everything(site)) expect(text).not.toMatch(/calls per UTC day and client, over/)
  expect(JSON.parse(rendered(site, 'document.pricing')).demo).toEqual({
    free_calls_per_day_per_ip: 0,
    via: expect.stringContaining('no free calls'),
  })
})

test('operator addresses are in the API description only', () => {
  const site = testSite()
  for (const { document, rendering } of forms)
    expect(rendering.render(site).includes('/keeper/lock'), document.id).toBe(
      document.id === 'document.openapi',
    )
})

test('a document that points at nothing stops the start', () => {
  expect(() => pathOf(testSite().catalog, 'document.nowhere')).toThrow(/document\.nowhere/)
})

test('version and licence are those of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect([API_VERSION, LICENSE.identifier]).toEqual([manifest.version, manifest.license])
})

test('security.txt is valid for less than a year after the start', () => {
  const expires = /^Expires: (.+)$/m.exec(rendered(testSite(), 'document.security'))?.[1] ?? ''
  const days = (Date.parse(expires) - Date.parse('2026-01-05T12:00:00Z')) / DAY_MS
  expect(days).toBeGreaterThan(330)
  expect(days).toBeLessThan(365)
})

test('the sitemap has every page that is HTML to everybody once, with its day', () => {
  const found = [...rendered(testSite(), 'document.sitemap').matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, url]) => url,
  )
  const pages = METHOD_PAGES.map((page) => methodLink(page))
  expect(found).toEqual(pages.map((path) => `https://harbour.test:8443${path}`))
  expect(rendered(testSite(), 'document.sitemap').match(/<lastmod>2026-01-05</g)).toHaveLength(found.length)
})
