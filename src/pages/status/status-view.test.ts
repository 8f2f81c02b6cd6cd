import { describe, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { createCatalog } from '../../catalog/catalog.ts'
import type { Group } from '../../catalog/group.ts'
import type { Site } from '../../catalog/site.ts'
import { discoveryGroup } from '../../discovery/group.ts'
import { serviceGroup } from '../../products/service/group.ts'
import type { Status } from '../../products/service/status.ts'
import { testSite } from '../../testing/discovery/sample-site.ts'
import { sampleStatus as sample } from '../../testing/products/sample-status.ts'
import { statusView } from './status-view.ts'

type Reply = z.output<typeof Status>
type Part = Reply['parts'][number]
type Measured = Reply['uptime']['parts'][number]

const site = testSite({ catalog: createCatalog<Site>([serviceGroup as Group<never>, discoveryGroup]) })
const [samplePart] = sample.parts as [Part]
const [sampleMeasured] = sample.uptime.parts as [Measured]
const [sampleIncident] = sample.incidents as [Reply['incidents'][number]]
const hostile = '<img src=x onerror=alert(1)>"\'&'

const pageOf = (changed: Partial<Reply> = {}) =>
  statusView.kind === 'reply' ? statusView.render(site, { ...sample, ...changed }) : ''
const part = (changed: Partial<Part>): Part => ({ ...samplePart, ...changed })
const headlineOf = (page: string) => /<h1[^>]*>.*?<\/span> (.*?)<\/h1>/s.exec(page)?.[1]

describe('the headline', () => {
  test('says that all is well', () => {
    expect(headlineOf(pageOf())).toBe('All systems are working')
  })

  test('names what is not, and what is only idle is no trouble', () => {
    const parts = [
      part({}),
      part({ name: 'coinbase', needed: false, status: 'degraded' }),
      part({ name: 'gamma', needed: false, status: 'down' }),
      part({ name: 'llm', needed: false, status: 'idle' }),
    ]
    expect(headlineOf(pageOf({ status: 'degraded', parts }))).toBe(
      'The service is working, with trouble in Coinbase Exchange and Gamma, the market list of Polymarket',
    )
  })

  test('of an outage names what is needed', () => {
    const parts = [part({ status: 'down' }), part({ name: 'gamma', needed: false, status: 'down' })]
    expect(headlineOf(pageOf({ status: 'down', parts }))).toBe('The service is down: Ledger')
  })

  test('names four at most', () => {
    const parts = Array.from({ length: 9 }, (_, n) => part({ name: `p${n}`, status: 'degraded' }))
    expect(headlineOf(pageOf({ status: 'degraded', parts }))).toMatch(/p3 and 5 more$/)
  })
})

describe('a part', () => {
  test('says how many checks there were and since when, and which of them were not whole', () => {
    const page = pageOf()
    const { checks } = sampleMeasured
    expect(page).toContain(`99.95 % of ${checks.toLocaleString('en')} checks since 2026-01-04`)
    expect(page).toMatch(/<th scope="row">2026-01-04<\/th><td class="number">99.93 %<\/td>/)
    expect(page).toContain('Every check was good on the other 1 measured day.')
    expect(page).toContain('Latency 0.1 ms')
  })

  test('that was first measured later than others says so, from its first minute on', () => {
    const one = { ...sampleMeasured, fraction: 1, checks: 1, measured_days: 1, day_fractions: [null, 1] }
    const page = pageOf({ uptime: { ...sample.uptime, parts: [one] } })
    expect(page).toContain('100 % of 1 check since 2026-01-05')
    const none = { ...one, fraction: null, checks: 0, measured_days: 0, day_fractions: [null, null] }
    expect(pageOf({ uptime: { ...sample.uptime, parts: [none] } })).toContain('nothing measured yet')
  })

  test('that is not well says what a visitor notices, and what was found stands behind a click', () => {
    const raw = '14 requests, 3 failures, last error: ECONNREFUSED 10.0.0.1'
    const notWell = (name: string, status: Part['status']) =>
      pageOf({
        parts: [part({ name, status, detail: raw, needed: false })],
        uptime: { ...sample.uptime, parts: [{ ...sampleMeasured, name }] },
      })
    for (const [name, status, words] of [
      ['facilitators', 'degraded', 'a refused payment costs nothing.'],
      ['gamma', 'down', 'What is made of its data is refused while it is missing, and costs nothing.'],
      ['constructor', 'down', 'What rests on it is refused while it fails, and costs nothing.'],
      ['llm', 'idle', 'Nobody has needed it lately, so nobody knows.'],
    ] as const) {
      const page = notWell(name, status)
      expect(page).toContain(words)
      expect(page.replaceAll(/<details.*?<\/details>/gs, '')).not.toContain('ECONNREFUSED')
      expect(page).toContain(raw)
    }
    expect(notWell('gamma', 'ok')).not.toContain(raw)
  })

  test('the whole service has its state too: that of what it needs', () => {
    const measured = { ...sample.uptime, parts: [{ ...sampleMeasured, name: 'service' }] }
    const badgeOf = (needed: boolean, status: Part['status']) => {
      const page = pageOf({ uptime: measured, parts: [part({}), part({ name: 'gamma', needed, status })] })
      return /<h3>The whole service <span[^>]*>.*?<\/span> (\w+)<\/span>/s.exec(page)?.[1]
    }
    expect([
      badgeOf(true, 'ok'),
      badgeOf(true, 'degraded'),
      badgeOf(true, 'down'),
      badgeOf(false, 'down'),
    ]).toEqual(['working', 'degraded', 'down', 'working'])
  })

  test('of which nothing was measured says so', () => {
    const none = { fraction: null, checks: 0, measured_days: 0, mean_latency_ms: null, max_latency_ms: null }
    const days = { day_fractions: [null, null], day_checks: [0, 0], day_degraded: [0, 0] }
    const page = pageOf({ uptime: { ...sample.uptime, parts: [{ ...sampleMeasured, ...none, ...days }] } })
    expect(page).toContain('nothing measured yet')
    expect(page).not.toContain('<details id="days-')
  })

  test('a day on which it was degraded is told apart from one on which it was down', () => {
    const days = { day_fractions: [1, 0.5, null, 1], day_checks: [9, 8, 0, 9], day_degraded: [3, 0, 0, 0] }
    const page = pageOf({ uptime: { ...sample.uptime, parts: [{ ...sampleMeasured, ...days }] } })
    expect(page).toContain('<title>2026-01-04: 100 %, degraded in 3 checks</title>')
    expect(page).toContain('<title>2026-01-05: 50 %</title>')
    expect(page).toContain('Nothing was measured on 1 day since')
  })
})

describe('incidents', () => {
  test('that are ongoing stand apart from those that are over', () => {
    const page = pageOf({
      incidents: [
        { ...sampleIncident, ended_at: null, cause: 'no tick' },
        { ...sampleIncident, part: 'service', planned: true },
      ],
    })
    const [open = '', past = ''] = page.split('<h2>Past incidents</h2>')
    expect(open).toContain('Ongoing incidents</h2>')
    expect(open).toContain('No tick.')
    expect(past).toContain('planned stop')
    expect(past).toContain('2026-01-04 08:12 UTC')
    expect(past).toContain('4 min')
  })

  test('none is told, and many do not fill the page', () => {
    expect(pageOf({ incidents: [] })).toContain('2 bad checks of the same part in a row begin one.')
    expect(pageOf({ incidents: Array(50).fill(sampleIncident) })).toContain('42 earlier incidents')
  })
})

test('a service that has measured nothing yet says when it will', () => {
  const page = pageOf({ uptime: { ...sample.uptime, measured_at: null, parts: [] }, incidents: [] })
  expect(page).toContain('within a minute')
  expect(page).toContain('nothing measured yet')
})

test('whatever names and details say, the page shows it as text', () => {
  const page = pageOf({
    parts: [part({ name: hostile, status: 'down', detail: hostile })],
    uptime: { ...sample.uptime, parts: [{ ...sampleMeasured, name: hostile }] },
    incidents: [{ ...sampleIncident, part: hostile, cause: hostile }],
    version: hostile,
  })
  expect(page).not.toContain('<img src=x')
  expect(page).not.toMatch(/NaN|undefined|\bstyle=/)
})

test('names of what every object has are no names of parts', () => {
  const page = pageOf({
    parts: [part({ name: 'constructor' })],
    uptime: { ...sample.uptime, parts: [{ ...sampleMeasured, name: 'constructor' }] },
  })
  expect(page).toContain('<summary>constructor day by day</summary>')
})

test('a page that is drawn again draws no day anew, and what is live is new', () => {
  pageOf()
  const draws = vi.spyOn(Date.prototype, 'toISOString')
  expect(pageOf({ parts: [part({ age_ms: 42_000 })] })).toContain('Newest data 42 s ago')
  expect(draws).not.toHaveBeenCalled()
  draws.mockRestore()
})

test('a list that is longer than the page shows is cut, and the page stays small', () => {
  const n = 5_000
  const long = {
    day_fractions: Array(n).fill(0.5),
    day_checks: Array(n).fill(2),
    day_degraded: Array(n).fill(0),
  }
  const page = pageOf({ uptime: { ...sample.uptime, parts: [{ ...sampleMeasured, ...long }] } })
  expect(page.match(/<title>\d/g)).toHaveLength(90)
  expect(page.match(/<tr><th scope="row">\d/g)).toHaveLength(30)
  expect(page).toContain('Trouble on 4,970 earlier days is not listed.')
})
