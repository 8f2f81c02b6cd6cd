import { expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import type { Group } from '../../catalog/group.ts'
import type { ClosedCall, Site } from '../../catalog/site.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { discoveryGroup } from '../../discovery/group.ts'
import { createServeDocument } from '../../http/respond/documents.ts'
import { botGroup } from '../../products/bot/group.ts'
import { testSite } from '../../testing/discovery/sample-site.ts'
import { documentPage } from '../document-page.ts'

const NOON_S = Date.parse('2026-01-05T12:00:00Z') / 1000
const call: ClosedCall = {
  ...{
    window_start: NOON_S,
    window_end: NOON_S + WINDOW_S,
    direction: 'DOWN',
    confidence: 0.613,
    abstain: false,
  },
  ...{ outcome: 'DOWN', hit: true, record_path: '/record/BTC-1' },
}
const catalog = createCatalog<Site>([botGroup as Group<never>, discoveryGroup])
const prose = { path: '/', describe: () => 'Home', text: () => '# Home' } as const
const cardOf = (lastCall?: () => ClosedCall | undefined) =>
  /<section class="card preview".*?<\/section>/s.exec(
    documentPage(prose).render(testSite({ catalog, ...(lastCall && { lastCall }) })),
  )?.[0] ?? ''
const shown = (card: string) => card.replaceAll(/<(\w+)[^>]* hidden[^>]*>.*?<\/\1>/gs, '')

test('the home page says what we said of the last closed window before any script runs', () => {
  const card = shown(cardOf(() => call))
  for (const words of ['▼ Down, 61.3 %', '12:00 to 12:05 UTC', '38.7 % that', 'the direction was right'])
    expect(card).toContain(words)
  expect(card).toContain('href="/record/BTC-1"')
  expect(card).not.toContain('are free as JSON')
  expect(shown(cardOf(() => ({ ...call, abstain: true })))).toContain('No call: a coin flip')
})

test('before the first window has closed it says where the signals are', () => {
  for (const card of [cardOf(), cardOf(() => undefined)]) {
    expect(shown(card)).toContain('are free as JSON')
    expect(shown(card)).not.toContain('Delayed on purpose')
  }
})

test('the page is made again when the next window has closed, and not before', async () => {
  let last = call
  const rendering = documentPage(prose)
  let made = 0
  const counted = { ...rendering, render: (site: Site) => `${++made} ${rendering.render(site)}` }
  const serve = createServeDocument({ renderings: [counted] }, testSite({ catalog, lastCall: () => last }))
  const body = async () => (await serve({})).body
  expect([await body(), made]).toEqual([await body(), 1])
  const [window_start, window_end] = [NOON_S + WINDOW_S, NOON_S + 2 * WINDOW_S]
  last = { ...call, window_start, window_end, record_path: '/record/BTC-2' }
  expect([await body(), made]).toEqual([expect.stringContaining('12:05 to 12:10 UTC'), 2])
})
